import { asSpeechError, type SpeechError } from '@herald-speech/client';
import { say } from '../../../runtime/messages.js';
import type { Gate } from './gate.js';

/** Rows that may fail one after another. Then the service is probably down, and each further row would also fail. */
const MAX_FAILURES_IN_A_ROW = 20;

/** The work on all rows. */
interface Work<Row> {
  /** Rows that are made at a time. */
  parallel: number;
  gate: Gate;
  signal: AbortSignal;
  /** Makes a row. @throws SpeechError */
  make(row: Row): Promise<void>;
  /** Handles the failure of a row. */
  onFailed(row: Row, error: SpeechError): Promise<void>;
  /** Whether every further row would fail in the same way, such as without credits. */
  endsRun(error: SpeechError): boolean;
}

/** The reason for an early end of a run, and the rows without a file in their order. */
interface EarlyEnd<Row> {
  error: SpeechError;
  rows: Row[];
}

/**
 * Makes rows, some at a time. After a failure that ends the run, starts no further row and waits for those in work.
 * @returns the early end; undefined if each row was made or has failed by itself
 * @throws the reason of the signal, or the error of `onFailed`, after all work has ended
 */
export async function makeAll<Row>(
  rows: readonly Row[],
  work: Work<Row>,
): Promise<EarlyEnd<Row> | undefined> {
  const { parallel, gate, signal } = work;
  const waiting = [...rows];
  const unmade = new Set<Row>();
  let end: SpeechError | undefined;
  let failures = 0;
  const fail = async (row: Row, error: SpeechError) => {
    if (work.endsRun(error)) {
      unmade.add(row);
      end ??= error;
      return;
    }
    failures = error.route === 'retryable' ? failures + 1 : 0;
    if (failures >= MAX_FAILURES_IN_A_ROW) end ??= failing(error);
    await work.onFailed(row, error);
  };
  const worker = async () => {
    for (;;) {
      await gate.pass(signal);
      const row = end === undefined ? waiting.shift() : undefined;
      if (row === undefined) return;
      try {
        await work.make(row);
        failures = 0;
      } catch (thrown) {
        signal.throwIfAborted();
        await fail(row, asSpeechError(thrown));
      }
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: parallel }, worker));
  for (const result of ends) if (result.status === 'rejected') throw result.reason;
  for (const row of waiting) unmade.add(row);
  return end && { error: end, rows: rows.filter((row) => unmade.has(row)) };
}

function failing(failure: SpeechError): SpeechError {
  const values = { count: MAX_FAILURES_IN_A_ROW, failure: failure.text ?? failure.message };
  return failure.with({ message: say('prompts-failing', values) });
}
