import { z } from '@herald-speech/client';
import type { NodeMessage } from 'node-red';
import { choice, type Properties, type Reader, readProperties } from './properties.js';

/**
 * What a new announcement does to those before it that are of no higher priority: it waits for them, replaces those that
 * wait, or also stops the one that is spoken.
 */
const orders = ['wait', 'replace', 'interrupt'] as const;

export type Order = (typeof orders)[number];

/** The field of a request. */
export const order = z.enum(orders).default('wait');

/** The property of a node. */
export const orderProperty = choice('sort', orders, { value: 'wait', more: true });

/** What a message asks for; one that asks for what there is not waits, and is told in its turn. */
export async function orderOf(reader: Reader, properties: Properties, message: NodeMessage): Promise<Order> {
  try {
    const { order: value } = await readProperties(reader, { order: properties['order'] }, message);
    return order.catch('wait').parse(value);
  } catch {
    return 'wait';
  }
}

const spoken = z.object({ order: z.enum(orders) });

/** What a message does where it is played: what its speech did where it was made, or else what the message asks for. */
export function orderIn({ speech, order: said }: NodeMessage): Order {
  return spoken.safeParse(speech).data?.order ?? order.catch('wait').parse(said);
}

/** What is no number is not meant for our nodes: others know priorities such as "high". */
export function priorityOf({ priority }: NodeMessage): number {
  return typeof priority === 'number' && Number.isFinite(priority) ? priority : 0;
}
