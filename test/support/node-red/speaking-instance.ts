import { z } from '@herald-speech/client';
import type { FlowNode, NodeRed } from './node-red.js';

const reply = z.object({
  /** `msg.speech`; absent after a failure. */
  speech: z.object({ cached: z.boolean(), warnings: z.array(z.string()) }).nullish(),
  error: z.object({ code: z.string(), route: z.string() }).nullish(),
});

/** Returns the flows of an instance that speaks the query `text` of its route `/say` with a hosted account. */
export function speakingFlows(account: object): FlowNode[] {
  const set = (id: string, rules: object[], next: string): FlowNode => ({
    id,
    type: 'change',
    z: 'flow',
    rules: rules.map((rule) => ({ t: 'set', pt: 'msg', tot: 'msg', ...rule })),
    wires: [[next]],
  });
  return [
    { id: 'flow', type: 'tab', label: 'speech' },
    {
      id: 'account',
      type: 'herald-account',
      version: 3,
      service: 'hosted',
      fallback: 'none',
      ...account,
    },
    { id: 'in', type: 'http in', z: 'flow', url: '/say', method: 'get', wires: [['text']] },
    set('text', [{ p: 'payload', to: 'payload.text' }], 'speak'),
    {
      id: 'speak',
      type: 'herald-text-to-speech',
      z: 'flow',
      account: 'account',
      retry_attempts: '1',
      parallel: '16',
      wires: [['reply'], ['reply'], ['reply'], ['reply']],
    },
    set(
      'reply',
      [
        { p: 'payload', to: '{}', tot: 'json' },
        { p: 'payload.speech', to: 'speech' },
        { p: 'payload.error', to: 'error' },
      ],
      'out',
    ),
    { id: 'out', type: 'http response', z: 'flow', wires: [] },
  ];
}

/** Speaks a text with an instance. Returns `msg.speech` or `msg.error`. */
export async function say({ url }: Pick<NodeRed, 'url'>, text: string) {
  const answered = await fetch(`${url}say?text=${encodeURIComponent(text)}`);
  return reply.parse(await answered.json());
}
