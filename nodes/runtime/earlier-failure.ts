import { failures, type FailureCode } from '@herald-speech/client';
import type { NodeMessage } from 'node-red';
import { propertyOf } from './objects.js';

/** An earlier failure of a message at a node of this package. */
export interface EarlierFailure {
  code: FailureCode;
  /** The place of the message in the order of all messages: it keeps this place when it comes back. */
  arrival: number;
}

/**
 * Returns the failure with which a message left this node before: from `msg.error`, or from `msg.error.cause` of a Catch
 * node. Undefined for a new message, and for errors of other nodes.
 * @param node the id of this node
 */
export function earlierFailure({ error }: NodeMessage, node: string): EarlierFailure | undefined {
  return failureIn(error, node) ?? failureIn(propertyOf(error, 'cause'), node);
}

function failureIn(error: unknown, node: string): EarlierFailure | undefined {
  const [code, arrival] = [propertyOf(error, 'code'), propertyOf(error, 'arrival')];
  if (propertyOf(error, 'node') !== node || !isCode(code)) return undefined;
  return { code, arrival: typeof arrival === 'number' ? arrival : 0 };
}

const isCode = (code: unknown): code is FailureCode =>
  typeof code === 'string' && Object.hasOwn(failures, code);
