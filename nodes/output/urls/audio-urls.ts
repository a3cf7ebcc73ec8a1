import { networkInterfaces } from 'node:os';
import path from 'node:path';
import { SpeechError } from '@herald-speech/client';
import type { Express, Request, Response } from 'express';
import type { NodeAPI } from 'node-red';
import { localize } from '../../runtime/localize.js';
import { say } from '../../runtime/messages.js';
import { type AudioStore, audioStore } from './audio-store.js';
import { sendRecording } from './send-recording.js';
import type { UrlTarget } from './to-url.js';

const PATH = '/herald/audio';
/** Milliseconds after which the replies of a released route end. A deploy uses the route again sooner. */
const GRACE_MS = 1000;

interface Route {
  users: number;
  /** The replies that are sent now. */
  replies: Set<AbortController>;
  grace?: NodeJS.Timeout;
}

/** The audio route of each web server. Node-RED passes a separate `RED` object to each module, but always the same `httpNode`. */
const routes = new WeakMap<Express, Route>();

/**
 * Serves recordings at `/herald/audio/…` as long as a node uses the route. `httpNodeAuth` and `httpNodeRoot` apply.
 * @returns a function that releases the route. The last release removes it from the server.
 */
export function useAudioRoute(RED: NodeAPI): () => void {
  const { httpNode } = RED;
  const route = routes.get(httpNode) ?? { users: 0, replies: new Set() };
  routes.set(httpNode, route);
  clearTimeout(route.grace);
  if (route.users === 0) serve(RED, route);
  route.users += 1;
  return () => {
    route.users -= 1;
    if (route.users > 0) return;
    removeRoute(httpNode);
    if (route.replies.size > 0) route.grace = setTimeout(() => endReplies(route), GRACE_MS).unref();
  };
}

function endReplies({ replies }: Route): void {
  for (const reply of replies) reply.abort(new Error('the audio route is closed'));
}

/**
 * Checks that Node-RED can serve audio, and returns the store of its user directory.
 * @param base the address at which players reach this Node-RED. Default: its address in the local network
 * @throws SpeechError `not-configured` if Node-RED serves no HTTP routes or has no user directory, `bad-request` if the folder
 *   accepts no files
 */
export async function prepareUrl(
  RED: NodeAPI,
  base: string | undefined,
  signal: AbortSignal,
): Promise<UrlTarget> {
  if (RED.settings.httpNodeRoot === false) throw new SpeechError('not-configured', say('no-urls'));
  const store = storeOf(RED);
  if (store === undefined) throw new SpeechError('not-configured', say('no-audio-folder'));
  await store.check(signal);
  return { store, base: `${(base ?? ownAddress(RED)).replace(/\/+$/, '')}${PATH}` };
}

/** Returns the store in the user directory, if Node-RED has one. */
function storeOf(RED: NodeAPI): AudioStore | undefined {
  const folder = audioFolder(RED);
  return folder === undefined ? undefined : audioStore(folder);
}

/** Returns the folder of the audio in the user directory, if Node-RED has one. */
export const audioFolder = ({ settings: { userDir } }: Pick<NodeAPI, 'settings'>): string | undefined =>
  userDir ? path.resolve(userDir, 'herald', 'audio') : undefined;

function serve(RED: NodeAPI, route: Route): void {
  const { httpNode } = RED;
  httpNode.options(`${PATH}/:name`, (_request: Request, response: Response) => {
    allowOrigins(response).set({
      'Access-Control-Allow-Methods': 'GET, HEAD, OPTIONS',
      'Access-Control-Allow-Headers': 'Range, If-Range, If-None-Match',
      'Access-Control-Max-Age': '86400',
    });
    response.status(204).end();
  });
  httpNode.get(`${PATH}/:name`, (request: Request, response: Response) => {
    allowOrigins(response);
    // A reply ends early if the player disconnects or the recording fails.
    const reply = new AbortController();
    route.replies.add(reply);
    response.once('close', () => reply.abort());
    answer(RED, request, response, reply.signal)
      .catch(() => response.destroy())
      .finally(() => route.replies.delete(reply));
  });
}

/** Lets pages of other origins, such as a cast receiver, play the audio. */
const allowOrigins = (response: Response): Response =>
  response.set({
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': 'Accept-Ranges, Content-Length, Content-Range, ETag',
  });

async function answer(
  RED: NodeAPI,
  request: Request,
  response: Response,
  signal: AbortSignal,
): Promise<void> {
  const store = storeOf(RED);
  const recording = await store?.find(String(request.params['name']));
  if (store === undefined || recording === undefined) return notFound(RED, response);
  recording.readers += 1;
  try {
    await sendRecording(recording, request, response, signal);
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (response.headersSent || !(isMissing || recording.state === 'failed')) throw error;
    if (recording.state === 'complete') store.forget(recording);
    notFound(RED, response);
  } finally {
    recording.readers -= 1;
    await store.shrink();
  }
}

function notFound(RED: NodeAPI, response: Response): void {
  response
    .status(404)
    .set('Cache-Control', 'no-store')
    .json({ message: localize(RED, say('audio-expired')) });
}

interface Layer {
  route?: { path?: unknown };
}

/** Removes the route. Express has no method for it, so this edits the stack of layers, as Node-RED's core nodes do. */
function removeRoute(httpNode: Express): void {
  const router: { stack?: Layer[] } | undefined = httpNode._router ?? httpNode.router;
  const stack = router?.stack ?? [];
  for (let index = stack.length - 1; index >= 0; index -= 1) {
    if (stack[index]?.route?.path === `${PATH}/:name`) stack.splice(index, 1);
  }
}

/** Returns the address of this Node-RED in the local network, derived from its settings. */
function ownAddress({ settings }: NodeAPI): string {
  const scheme = settings.https ? 'https' : 'http';
  const host =
    settings.uiHost && settings.uiHost !== '0.0.0.0' && settings.uiHost !== '::'
      ? settings.uiHost
      : lanAddress();
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${settings.uiPort ?? 1880}${settings.httpNodeRoot || ''}`;
}

function lanAddress(): string {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return all.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1';
}
