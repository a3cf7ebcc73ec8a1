import { failures, type FailureCode } from '@herald-speech/client';
import type { NodeMessage } from 'node-red';

/**
 * Returns the error code with which a message left a node of this package before: from `msg.error`, or from
 * `msg.error.cause` of a Catch node. Undefined for a new message, and for errors of other nodes.
 */
export function earlierFailure({ error }: NodeMessage): FailureCode | undefined {
  return codeOf(error) ?? codeOf(propertyOf(error, 'cause'));
}

function codeOf(error: unknown): FailureCode | undefined {
  const code = propertyOf(error, 'code');
  return propertyOf(error, 'name') === 'SpeechError' && isCode(code) ? code : undefined;
}

const isCode = (code: unknown): code is FailureCode =>
  typeof code === 'string' && Object.hasOwn(failures, code);

// `instanceof Object` is false for objects of a function node, which come from another realm.
const propertyOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
