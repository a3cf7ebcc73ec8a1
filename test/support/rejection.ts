import assert from 'node:assert/strict';
import { SpeechError } from '../../client/errors.js';

/** The SpeechError that `promise` rejects with; anything else fails the test. */
export async function rejection(promise: Promise<unknown>): Promise<SpeechError> {
  const outcome: unknown = await promise.then(
    () => 'it succeeded',
    (error: unknown) => error,
  );
  if (outcome instanceof SpeechError) return outcome;
  assert.fail(`expected a SpeechError, but: ${String(outcome)}`);
}
