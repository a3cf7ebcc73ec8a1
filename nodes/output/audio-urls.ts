import { networkInterfaces } from 'node:os';
import { SpeechError } from '@herald-speech/client';
import type { Express, Request, Response } from 'express';
import type { NodeAPI } from 'node-red';
import { type Clip, Clips } from './clips.js';
import { localize } from '../runtime/localize.js';
import { say } from '../runtime/messages.js';

const PATH = '/herald/audio';

interface Route {
  clips: Clips;
  users: number;
}

/** The audio route of each web server. Node-RED passes a separate `RED` object to each module, but always the same `httpNode`. */
const routes = new WeakMap<Express, Route>();

/**
 * Serves stored clips at `/herald/audio/…` as long as a node uses the route. `httpNodeAuth` and `httpNodeRoot` apply.
 * @returns a function that releases the route. The last release removes it from the server.
 */
export function useAudioRoute(RED: NodeAPI): () => void {
  const { httpNode } = RED;
  const route = routes.get(httpNode) ?? serve(RED);
  route.users += 1;
  return () => {
    route.users -= 1;
    if (route.users > 0) return;
    routes.delete(httpNode);
    removeRoute(httpNode);
  };
}

/**
 * Returns the address at which players reach this Node-RED. Default: its address in the local network.
 * @throws SpeechError `not-configured` if Node-RED serves no HTTP routes
 */
export function urlBase(RED: NodeAPI, base?: string): string {
  if (RED.settings.httpNodeRoot === false) throw new SpeechError('not-configured', say('no-urls'));
  return base ?? ownAddress(RED);
}

/** Stores a clip and returns its URL below the result of `urlBase`. */
export function publishAudio(RED: NodeAPI, clip: Clip, extension: string, base: string): string {
  const clips = routes.get(RED.httpNode)?.clips;
  if (clips === undefined) throw new Error('the audio route is closed');
  return `${base.replace(/\/+$/, '')}${PATH}/${clips.store(clip)}.${extension}`;
}

function serve(RED: NodeAPI): Route {
  const { httpNode } = RED;
  const clips = new Clips();
  httpNode.get(`${PATH}/:name`, (request: Request, response: Response) => {
    const clip = clips.find(String(request.params['name']).replace(/\.\w+$/, ''));
    if (clip === undefined) response.status(404).json({ message: localize(RED, say('audio-expired')) });
    else sendClip(clip, request, response);
  });
  const route = { clips, users: 0 };
  routes.set(httpNode, route);
  return route;
}

/** Sends a clip, or the range that the player requests (RFC 9110, section 14). Some players require range support. */
function sendClip({ audio, mime }: Clip, request: Request, response: Response): void {
  response.type(mime).set({ 'Cache-Control': 'private, max-age=3600', 'Accept-Ranges': 'bytes' });
  const ranges = request.range(audio.length, { combine: true });
  if (ranges === -1) {
    response.status(416).set('Content-Range', `bytes */${audio.length}`).end();
    return;
  }
  const range =
    Array.isArray(ranges) && ranges.type === 'bytes' && ranges.length === 1 ? ranges[0] : undefined;
  const { start, end } = range ?? { start: 0, end: audio.length - 1 };
  if (range) response.status(206).set('Content-Range', `bytes ${start}-${end}/${audio.length}`);
  response.send(Buffer.from(audio.buffer, audio.byteOffset + start, end - start + 1));
}

interface Layer {
  route?: { path?: unknown };
}

/** Removes the route. Express has no method for it, so this edits the stack of layers, as Node-RED's core nodes do. */
function removeRoute(httpNode: Express): void {
  const router: { stack?: Layer[] } | undefined = httpNode._router ?? httpNode.router;
  const stack = router?.stack ?? [];
  const index = stack.findIndex(({ route }) => route?.path === `${PATH}/:name`);
  if (index >= 0) stack.splice(index, 1);
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
