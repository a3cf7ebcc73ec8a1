/** The endpoints with which the dialog of the prompts node plans, runs and plays (docs/decisions/0097). */
import { setTimeout as sleep } from 'node:timers/promises';
import { SpeechError, z } from '@herald-speech/client';
import type { NodeAPI } from 'node-red';
import {
  audioOf,
  pauseRun,
  planOf,
  resumeRun,
  type RunView,
  startRun,
  stateOf,
  stopRun,
} from '../prompts/run/panel.js';
import { say } from '../runtime/messages.js';
import { endpoint } from './endpoint/endpoint.js';
import { target } from './endpoint/target.js';
import { nodeEndpoint } from './endpoint/node-endpoint.js';

/** Maximum length, in UTF-16 code units, of a node's id. */
const MAX_ID = 200;
/** Maximum length, in UTF-16 code units, of a path. */
const MAX_PATH = 4096;
/** Milliseconds until a started node must work, and between two looks. */
const START_MS = 3000;
const LOOK_MS = 50;

const node = () => z.string().min(1).max(MAX_ID);

/** Compares the table with the folder, with the values of the dialog. Reads files by typed paths. */
export const plan = endpoint({
  path: '/herald/prompts/plan',
  permission: 'herald.write',
  request: () =>
    target().extend({
      node: node().optional(),
      request: z.record(z.string(), z.unknown()),
      /** The list of the account, as in the dialog. */
      pronunciations: z.array(z.record(z.string(), z.unknown())).optional(),
    }),
  isNew: () => true,
  run({ RED, client, defaults, request, signal, translator }) {
    const { account, node, request: typed, typed: typedAccount, pronunciations } = request;
    const ofAccount = { account, typedAccount, pronunciations, client, defaults };
    return planOf(RED, { typed, node, ...ofAccount, signal, translator });
  },
});

/** Reads a prompt file of a folder, as the browser can play it. */
export const audio = nodeEndpoint({
  path: '/herald/prompts/audio',
  permission: 'herald.write',
  request: () => z.object({ folder: z.string().max(MAX_PATH), filename: z.string().max(MAX_PATH) }),
  isNew: () => true,
  async run({ RED, request: { folder, filename }, signal }) {
    const { data, mime } = await audioOf(RED, folder, filename, signal);
    return { audio: Buffer.from(data).toString('base64'), mime };
  },
});

/** Reads the state of the run: null if the node is not deployed. */
export const state = nodeEndpoint({
  path: '/herald/prompts/state',
  permission: 'herald.read',
  request: () => z.object({ node: node() }),
  run: ({ RED, request }) => stateIn(RED, request.node),
});

/** Starts the run of a deployed node. Replies with the state after the start. */
const run = nodeEndpoint({
  path: '/herald/prompts/run',
  permission: 'herald.write',
  request: () => z.object({ node: node() }),
  async run({ RED, request, signal }) {
    const former = stateOf(RED, request.node);
    startRun(RED, request.node);
    await started(() => stateOf(RED, request.node), former, signal);
    return stateIn(RED, request.node);
  },
});

/**
 * Waits until the node has started its work, which it does behind its queue.
 * @throws SpeechError `bad-request` if the node refused the message, which is then on its output for errors
 */
async function started(
  read: () => RunView | undefined,
  former: RunView | undefined,
  signal: AbortSignal,
): Promise<void> {
  for (let waited = 0; waited < START_MS; waited += LOOK_MS) {
    const state = read();
    if (state?.phase !== 'idle' || state.report !== former?.report || state.error !== former?.error) return;
    await sleep(LOOK_MS, undefined, { signal });
  }
  if (read()?.error === undefined) throw new SpeechError('bad-request', say('prompts-not-started'));
}

/** Pauses, resumes and stops the run of a deployed node. Each replies with the state. */
const others = (
  [
    ['pause', pauseRun],
    ['resume', resumeRun],
    ['stop', stopRun],
  ] as const
).map(([name, act]) =>
  nodeEndpoint({
    path: `/herald/prompts/${name}`,
    permission: 'herald.write',
    request: () => z.object({ node: node() }),
    run({ RED, request }) {
      act(RED, request.node);
      return stateIn(RED, request.node);
    },
  }),
);

export const controls = [run, ...others];

const stateIn = (RED: NodeAPI, id: string): { state: RunView | null } => ({
  state: stateOf(RED, id) ?? null,
});
