import { networkInterfaces } from 'node:os';
import { SpeechError } from '@herald-speech/client';
import type { Express, Request, Response } from 'express';
import type { NodeAPI } from 'node-red';
import { type Clip, Clips } from './clips.js';

const PATH = '/herald/audio';

interface Route {
  clips: Clips;
  users: number;
}

/** One route for each web server: Node-RED hands every set of nodes an object of its own, but the same server. */
const routes = new WeakMap<Express, Route>();

/**
 * Serves held audio at `/herald/audio/…` while somebody needs it, behind `httpNodeAuth` and `httpNodeRoot`.
 * @returns how to give the route back; the last one takes it off the server
 */
export function useAudioRoute({ httpNode }: NodeAPI): () => void {
  const route = routes.get(httpNode) ?? serve(httpNode);
  route.users += 1;
  return () => {
    route.users -= 1;
    if (route.users > 0) return;
    routes.delete(httpNode);
    takeOff(httpNode);
  };
}

/**
 * Holds audio and says where it can be played.
 * @param base address that players reach this Node-RED at; by default its own in the local network
 */
export function publishAudio(RED: NodeAPI, clip: Clip, extension: string, base = ownAddress(RED)): string {
  const clips = routes.get(RED.httpNode)?.clips;
  if (clips === undefined) throw new Error('the audio route is closed');
  return `${base.replace(/\/+$/, '')}${PATH}/${clips.hold(clip)}.${extension}`;
}

function serve(httpNode: Express): Route {
  const clips = new Clips();
  httpNode.get(`${PATH}/:name`, (request: Request, response: Response) => {
    const clip = clips.find(String(request.params['name']).replace(/\.\w+$/, ''));
    if (clip === undefined) response.status(404).json({ message: 'this audio is not held any more' });
    else sendClip(clip, request, response);
  });
  const route = { clips, users: 0 };
  routes.set(httpNode, route);
  return route;
}

/** All of a clip, or the one range that a player asks for (RFC 9110, 14): some play nothing without. */
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

/** Express has no call that takes a route off; its stack of layers is what Node-RED's own nodes edit as well. */
function takeOff(httpNode: Express): void {
  const router: { stack?: Layer[] } | undefined = httpNode._router ?? httpNode.router;
  const stack = router?.stack ?? [];
  const index = stack.findIndex(({ route }) => route?.path === `${PATH}/:name`);
  if (index >= 0) stack.splice(index, 1);
}

/** Where others in the network reach this Node-RED, as far as it can know. */
function ownAddress({ settings }: NodeAPI): string {
  if (settings.httpNodeRoot === false) {
    throw new SpeechError(
      'not-configured',
      'httpNodeRoot is false in the settings: nothing can be played by URL',
    );
  }
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
