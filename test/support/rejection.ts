import assert from 'node:assert/strict';
import { SpeechError } from '../../client/base/errors.js';

/** Returns the SpeechError of a rejected promise. Fails the test on any other outcome. */
export async function rejection(promise: Promise<unknown>): Promise<SpeechError> {
  const outcome: unknown = await promise.then(
    () => 'the promise resolved',
    (error: unknown) => error,
  );
  if (outcome instanceof SpeechError) return outcome;
  assert.fail(`expected a SpeechError, got: ${String(outcome)}`);
}
