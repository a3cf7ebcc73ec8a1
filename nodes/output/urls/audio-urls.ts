import { SpeechError } from '@herald-speech/client';
import type { Express, Request, Response } from 'express';
import type { NodeAPI } from 'node-red';
import { say } from '../../runtime/messages.js';
import { baseUrlOf, type BaseUrlProblem, type PlayerAccess } from './base-url.js';
import { playsHereOnly } from './editor-playback.js';
import { answerAudio, answerOptions, AUDIO_PATH, type Replies, storeOf } from './serve-audio.js';
import type { UrlTarget } from './to-url.js';

/** Milliseconds after which the replies of a released route end. A deploy uses the route again sooner. */
const GRACE_MS = 1000;

/** The problems that only other computers have. */
const HERE: readonly BaseUrlProblem['code'][] = ['loopback', 'ui-host', 'no-network'];

interface Route {
  users: number;
  replies: Replies;
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
  for (const end of replies) end();
}

/**
 * Checks that Node-RED can serve audio. Returns the store of its user directory, and the base URL with its certain problems.
 * @param base the base URL of the node or the message
 * @param players the settings of its account
 * @param node the node that sends the URL, if the wires behind it decide who plays it
 * @throws SpeechError `not-configured` if Node-RED serves no HTTP routes or has no user directory, `bad-request` if the folder
 *   accepts no files
 */
export async function prepareUrl(
  RED: NodeAPI,
  base: string | undefined,
  players: PlayerAccess | undefined,
  signal: AbortSignal,
  node?: object,
): Promise<UrlTarget> {
  await players?.port?.ready();
  const { url, problems } = baseUrlOf(RED, { base_url: base }, players);
  const hasPort = players?.port !== undefined && players.port.problem === undefined;
  if (RED.settings.httpNodeRoot === false && !hasPort)
    throw new SpeechError('not-configured', say('no-urls'));
  const store = storeOf(RED);
  if (store === undefined) throw new SpeechError('not-configured', say('no-audio-folder'));
  await store.check(signal);
  const certain = problems.filter(({ isCertain }) => isCertain);
  const isHere = certain.every(({ code }) => HERE.includes(code)) && node && playsHereOnly(RED, node);
  return { store, base: url + AUDIO_PATH, warnings: isHere ? [] : certain.map(({ text }) => text) };
}

function serve(RED: NodeAPI, { replies }: Route): void {
  const { httpNode } = RED;
  httpNode.options(`${AUDIO_PATH}/:name`, (_request: Request, response: Response) => answerOptions(response));
  httpNode.get(`${AUDIO_PATH}/:name`, (request: Request, response: Response) =>
    answerAudio(RED, String(request.params['name']), request, response, replies, 'node-red'),
  );
}

interface Layer {
  route?: { path?: unknown };
}

/** Removes the route. Express has no method for it, so this edits the stack of layers, as Node-RED's core nodes do. */
function removeRoute(httpNode: Express): void {
  const router: { stack?: Layer[] } | undefined = httpNode._router ?? httpNode.router;
  const stack = router?.stack ?? [];
  for (let index = stack.length - 1; index >= 0; index -= 1) {
    if (stack[index]?.route?.path === `${AUDIO_PATH}/:name`) stack.splice(index, 1);
  }
}
