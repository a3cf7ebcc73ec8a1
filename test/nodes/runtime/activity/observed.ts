/** A flow with the admin endpoints of the sidebar. */
import assert from 'node:assert/strict';
import { z } from '@herald-speech/client';
import { type Flow, speechNode, withHostedFlow } from '../../../support/node-red/flow.js';
import { speechOf } from '../../../support/node-red/messages.js';
import { type Script, spoken } from '../../../support/net/scripted-server.js';
import { serving } from '../../../support/net/serve.js';

const announcement = z.object({
  id: z.number(),
  node: z.string(),
  name: z.string(),
  state: z.enum(['queued', 'speaking', 'done', 'failed', 'stopped']),
  text: z.string(),
  voice: z.string().optional(),
  language: z.string().optional(),
  seconds: z.number().optional(),
  charged: z.number().optional(),
  cached: z.boolean().optional(),
  hasAudio: z.boolean(),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
});
export const view = z.object({
  run: z.string(),
  revision: z.number(),
  ids: z.array(z.number()),
  announcements: z.array(announcement),
  waiting: z.array(z.object({ node: z.string(), count: z.number() })),
});
export const sound = z.object({ audio: z.base64(), mime: z.string() });

/** The admin endpoints of the sidebar. */
export interface Sidebar {
  /** Returns the announcements of the node, the latest first. */
  list(): Promise<z.output<typeof announcement>[]>;
  get(route: string, options?: RequestInit): Promise<unknown>;
  post(route: string, body: object): Promise<unknown>;
}

/** Runs `work` with a flow of one text to speech node `node` and the admin endpoints of the sidebar. */
export const observed = (
  script: Script,
  properties: object,
  work: (flow: Flow, sidebar: Sidebar) => Promise<void>,
) =>
  withHostedFlow(
    script,
    [speechNode('text-to-speech', { cache: 'false', cacheType: 'bool', ...properties })],
    (flow) =>
      serving(flow.RED.httpAdmin, async (origin) => {
        const ask = async (route: string, options: RequestInit = {}): Promise<unknown> => {
          const reply = await fetch(`${origin}/herald/activity${route}`, options);
          assert.equal(reply.status, 200);
          return reply.json();
        };
        const before = view.parse(await ask('')).ids;
        await work(flow, {
          get: ask,
          post: (route, body) =>
            ask(route, {
              method: 'POST',
              headers: { 'content-type': 'application/json' },
              body: JSON.stringify(body),
            }),
          async list() {
            const { announcements } = view.parse(await ask(''));
            const own = announcements.filter(({ id }) => !before.includes(id));
            return own.sort((a, b) => b.id - a.id);
          },
        });
      }),
  );

/** A service that replies only after `release`. */
export function heldService() {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const script: Script = async (request) => {
    await Promise.race([released, new Promise((resolve) => request.gone.addEventListener('abort', resolve))]);
    return spoken({ seconds: 1 });
  };
  return { script, release };
}

export function say(flow: Flow, ...texts: string[]): void {
  for (const payload of texts) flow.send('node', { payload });
}

/** Returns the text of the next message on the first output. */
export const spokenText = async (flow: Flow): Promise<string> => speechOf(await flow.out('done')).text;

/** Reads the list until it is as expected. */
export async function waitFor(
  list: Sidebar['list'],
  isSo: (all: Awaited<ReturnType<Sidebar['list']>>) => boolean,
): Promise<Awaited<ReturnType<Sidebar['list']>>> {
  for (;;) {
    const all = await list();
    if (isSo(all)) return all;
  }
}
