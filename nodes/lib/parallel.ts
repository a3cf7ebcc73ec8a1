import { between, lazy, z } from '@herald-speech/client';
import { type Reader, readProperties } from './properties.js';
import { numberProperty, type Properties } from './property.js';

/** Messages at a time. Each may send several requests at a time, within the limits of the account. */
const DEFAULT_PARALLEL = 4;
const MAX_PARALLEL = 32;

/** The request field of the number of messages that a node processes at a time. */
export const parallelField = lazy(() => between(z.int(), 1, MAX_PARALLEL).default(DEFAULT_PARALLEL));

/** The node property. It applies to the queue of the node, so a message cannot set it. */
export const parallelProperty = {
  ...numberProperty('clone', { section: 'expert', ofNode: true }),
  types: ['num', 'env'],
} as const;

/**
 * Returns the number of messages that a node processes at a time: 1 for a node without this property. An invalid number
 * counts as 1 here: each message then fails with the name of the property.
 */
export async function readParallel(reader: Reader, properties: Properties): Promise<number> {
  const { parallel } = properties;
  // Without `ofNode`, the property limits the work on one message.
  if (parallel?.ofNode !== true) return 1;
  try {
    const { values } = await readProperties(reader, { parallel }, {});
    return parallelField().parse(values['parallel']);
  } catch {
    return 1;
  }
}
