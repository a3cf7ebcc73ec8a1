import type { Context } from 'hono';
import type { CountedRequest } from '../metrics/metrics.js';

type Counted = Omit<CountedRequest, 'status'>;

const others: Counted = { frontEnd: 'other', operation: 'other' };
const named = new WeakMap<object, Counted>();

/** Names the operation of a request for the metrics. The name must come from a fixed list. */
export function countAs({ env }: Context, counted: Counted): void {
  named.set(env.outgoing, counted);
}

/** Returns the operation of a request: `other` for the console, the samples, and other routes without a protocol. */
export function countedOf({ env }: Context): Counted {
  return named.get(env.outgoing) ?? others;
}
