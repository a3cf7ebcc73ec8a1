/** The endpoints with which the dialog of the prompts node plans, runs and plays (docs/decisions/0099). */
import { z } from '@herald-speech/client';
import type { NodeAPI } from 'node-red';
import {
  audioOf,
  pauseRun,
  planOf,
  resumeRun,
  type RunState,
  startRun,
  stateOf,
  stopRun,
} from '../../prompts/run/live.js';
import { endpoint } from '../endpoint.js';
import { target } from '../target.js';
import { nodeEndpoint } from './node-endpoint.js';

/** Most UTF-16 code units of a node's id. */
const MAX_ID = 200;
/** Most UTF-16 code units of a path. */
const MAX_PATH = 4096;

const node = () => z.string().min(1).max(MAX_ID);

/** Compares the table with the folder, with the values of the dialog. Reads files by typed paths, like `speak`. */
export const plan = endpoint({
  path: '/herald/prompts/plan',
  permission: 'herald.write',
  request: () => target().extend({ node: node().optional(), request: z.record(z.string(), z.unknown()) }),
  run: ({ RED, client, defaults, request: { account, node, request: typed }, signal, translator }) =>
    planOf(RED, { typed, node, account, client, defaults, signal, translator }),
});

/** Reads a prompt file of a folder, as the browser can play it. */
export const audio = nodeEndpoint({
  path: '/herald/prompts/audio',
  permission: 'herald.write',
  request: () => z.object({ folder: z.string().max(MAX_PATH), filename: z.string().max(MAX_PATH) }),
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

/** Starts, pauses, resumes and stops the run of a deployed node. Each replies with the state. */
export const controls = (
  [
    ['run', startRun],
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

const stateIn = (RED: NodeAPI, id: string): { state: RunState | null } => ({
  state: stateOf(RED, id) ?? null,
});
