import { onAbort, reasonOf, stoppable } from '../base/abort.js';
import { asSpeechError, SpeechError } from '../base/errors.js';
import { messageOf, text } from '../base/messages.js';
import type { Breaker } from './breaker.js';
import { createTimeLimit } from './time-limit.js';

/** The fields of a piece that a change of the speaker concerns. Times are seconds in the whole speech. */
export interface TimedPiece {
  index: number;
  start: number;
  duration: number;
  cached: boolean;
  phonemes: { start_times_seconds: number[] } | undefined;
}

/** An account that can speak a text. */
export interface Speaker<Piece> {
  name: string;
  /** Returns the milliseconds without audio until the next speaker takes over. Only for a speaker with a next one. @throws SpeechError */
  patience(): number;
  breaker: Breaker;
  /**
   * Speaks the pieces of the text from the index `first`. Reports each wait for the rate limit or the next try in seconds.
   * @throws SpeechError
   */
  speak(
    first: number,
    signal: AbortSignal,
    onWait?: (seconds: number) => void,
  ): AsyncGenerator<Piece, void, undefined>;
  /** Returns the speaker that takes over; undefined for the last speaker. @throws SpeechError */
  next(): Speaker<Piece> | undefined;
}

/** The reason for a change of the speaker. */
export interface Takeover {
  /** Name of the account that speaks. */
  account: string;
  /** Index of its first piece. */
  from: number;
  /** The failure of the first speaker. */
  reason: SpeechError;
}

/** A piece. `takeover` is undefined if the first speaker spoke it. */
export type SpokenInTurn<Piece> = Piece & { takeover: Takeover | undefined };

/**
 * Yields the pieces of a text. If a speaker fails as retryable or out of credits, or gives no audio in time, the next one
 * continues with the missing piece. No piece is delivered twice.
 * @param first returns the first speaker when the caller asks for the first piece
 * @param from index of the first piece
 * @throws SpeechError the failure of the first speaker, with a note on the failure of the last one
 */
export function speakInTurn<Piece extends TimedPiece>(
  first: () => Speaker<Piece>,
  signal: AbortSignal | undefined,
  from = 0,
): AsyncGenerator<SpokenInTurn<Piece>, void, undefined> {
  return stoppable(signal, (ends) => takeTurns(first(), ends, from));
}

async function* takeTurns<Piece extends TimedPiece>(
  first: Speaker<Piece>,
  signal: AbortSignal,
  start: number,
): AsyncGenerator<SpokenInTurn<Piece>, void, undefined> {
  let reason: SpeechError | undefined;
  let [delivered, end] = [start, 0];
  for (let speaker = first; ;) {
    const from = delivered;
    const takeover = reason && { account: speaker.name, from, reason };
    let next: Speaker<Piece> | undefined;
    try {
      next = speaker.next();
      const pieces = next === undefined ? speaker.speak(from, signal) : guarded(speaker, from, signal);
      for await (const spoken of pieces) {
        const piece = shifted(spoken, end);
        delivered = piece.index + 1;
        end = piece.start + piece.duration;
        yield { ...piece, takeover };
      }
      return;
    } catch (thrown) {
      const error = asSpeechError(thrown);
      const failure = reason === undefined ? error : withNote(reason, speaker.name, error);
      if (signal.aborted || error.route === 'stopped') throw error;
      if (next === undefined || !canTakeOver(error)) throw failure;
      reason ??= error;
      speaker = next;
    }
  }
}

const canTakeOver = ({ route }: SpeechError): boolean => route === 'retryable' || route === 'out-of-credits';

function withNote(first: SpeechError, account: string, second: SpeechError): SpeechError {
  const values = { failure: messageOf(first), account, problem: messageOf(second) };
  return first.with({ message: text('fallback-failed', values) });
}

/** Starts times after the pieces of the former speaker, whose voice speaks at another rate. */
function shifted<Piece extends TimedPiece>(piece: Piece, start: number): Piece {
  const shift = start - piece.start;
  const { phonemes } = piece;
  if (shift === 0) return piece;
  if (phonemes === undefined) return { ...piece, start };
  const times = phonemes.start_times_seconds.map((time) => time + shift);
  return { ...piece, start, phonemes: { ...phonemes, start_times_seconds: times } };
}

/** Yields the pieces of one speaker. If another one can take over, the breaker and the time limit apply. */
async function* guarded<Piece extends TimedPiece>(
  { breaker, patience, speak }: Speaker<Piece>,
  first: number,
  parent: AbortSignal,
): AsyncGenerator<Piece, void, undefined> {
  const milliseconds = patience();
  const circuit = breaker.enter();
  const controller = new AbortController();
  const { signal } = controller;
  const unlink = onAbort(parent, (reason) => controller.abort(reason));
  const limit = createTimeLimit(milliseconds, () => controller.abort(tooLate(milliseconds)));
  const pieces = speak(first, signal, (seconds) => limit.announce(seconds * 1000));
  let hasSpoken = false;
  try {
    for (;;) {
      const { done, value } = await limit.during(() => pieces.next(), hasSpoken);
      if (done === true) return;
      hasSpoken = true;
      if (!value.cached) circuit.succeeded();
      yield value;
    }
  } catch (thrown) {
    const error = signal.aborted ? reasonOf(signal) : asSpeechError(thrown);
    circuit.failed(error);
    throw error;
  } finally {
    circuit.end();
    unlink();
    await pieces.return();
  }
}

const tooLate = (milliseconds: number) =>
  new SpeechError('timed-out', text('no-audio', { seconds: milliseconds / 1000 }));
