import type { Breaker } from './breaker.js';
import { runSession, type SpokenInTurn, type TextSpeaker, type TimedPiece } from './session.js';

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

/**
 * Yields the pieces of a text. If a speaker fails as retryable or out of credits, or gives no audio in time, the next one
 * continues with the missing piece. No piece is delivered twice.
 * @param first returns the first speaker when the caller asks for the first piece
 * @param from index of the first piece
 * @throws SpeechError the failure of the first speaker, with a note on the failure of the last one
 */
export const speakInTurn = <Piece extends TimedPiece>(
  first: () => Speaker<Piece>,
  signal: AbortSignal | undefined,
  from = 0,
): AsyncGenerator<SpokenInTurn<Piece>, void, undefined> =>
  runSession({ speaker: () => ofGenerator(first()), signal, from });

/** Returns a speaker whose pieces a generator yields. */
const ofGenerator = <Piece>(speaker: Speaker<Piece>): TextSpeaker<Piece> => ({
  name: speaker.name,
  breaker: speaker.breaker,
  patience: () => speaker.patience(),
  async open(...place) {
    const pieces = speaker.speak(...place);
    return {
      next: async () => (await pieces.next()).value ?? undefined,
      end: async () => void (await pieces.return()),
    };
  },
  next() {
    const next = speaker.next();
    return next && ofGenerator(next);
  },
});
