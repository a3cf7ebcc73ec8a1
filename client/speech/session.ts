import { sleep, stoppable } from '../base/abort.js';
import { asSpeechError, type SpeechError } from '../base/errors.js';
import { messageOf, type Text, text } from '../base/messages.js';
import type { Progress } from '../calls/progress.js';
import { Attempts, type Retries } from './attempts.js';
import type { FinishedChunks } from './finished-chunks.js';
import { type TextSpeaker, SpeakerTurn } from './turn.js';

export type { TextSpeaker } from './turn.js';

/** The fields of a piece that a change of the speaker concerns. Times are seconds in the whole speech. */
export interface TimedPiece {
  index: number;
  start: number;
  duration: number;
  cached: boolean;
  phonemes: { start_times_seconds: number[] } | undefined;
  warningTexts?: readonly Text[];
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

/** A text, its speakers and its limits. */
interface SessionOptions<Piece> {
  /** Returns the first speaker of an attempt. @throws SpeechError */
  speaker(): TextSpeaker<Piece>;
  signal?: AbortSignal | undefined;
  /** Index of the first piece. Default 0. */
  from?: number | undefined;
  /** Default: one attempt. */
  retries?: Retries | undefined;
  /** Receives the wait before a further attempt. */
  onProgress?: ((progress: Progress) => void) | undefined;
  /** Returns a warning for the first piece. */
  warning?: (() => Text | undefined) | undefined;
  /** The pieces that are finished behind the next one. The session removes a piece that it delivers. */
  finished?: FinishedChunks | undefined;
}

/**
 * Yields the pieces of a text in order, none of them twice. After a failure that can pass, the next speaker continues with the
 * missing piece. If all speakers fail, the session begins again with the first speaker, as `retries` allows.
 * @throws SpeechError the failure of the first speaker, with a note on the failure of the last one; its `attempts` count all
 *   requests since the last piece
 */
export const runSession = <Piece extends TimedPiece>(
  options: SessionOptions<Piece>,
): AsyncGenerator<SpokenInTurn<Piece>, void, undefined> =>
  stoppable(options.signal, (signal) => new Session(options, signal).pieces());

/** The stage of a session: the speaker in turn. */
type Stage<Piece extends TimedPiece> =
  | { is: 'beginning' }
  | { is: 'first speaker'; turn: SpeakerTurn<Piece> }
  | { is: 'fallback'; turn: SpeakerTurn<Piece>; takeover: Takeover };

/** The step after a failure. */
type Step<Piece extends TimedPiece> =
  | { is: 'takeover'; by: TextSpeaker<Piece>; reason: SpeechError }
  | { is: 'retry'; seconds: number }
  | { is: 'failure'; error: SpeechError };

/** The state of a text that is spoken. */
class Session<Piece extends TimedPiece> {
  private stage: Stage<Piece> = { is: 'beginning' };
  /** Index of the next piece. */
  private next: number;
  /** Seconds of the pieces so far. */
  private seconds = 0;
  /** The attempts at the next piece. */
  private attempts: Attempts;

  constructor(
    private readonly options: SessionOptions<Piece>,
    private readonly signal: AbortSignal,
  ) {
    this.next = options.from ?? 0;
    this.attempts = new Attempts(this.options.retries);
  }

  async *pieces(): AsyncGenerator<SpokenInTurn<Piece>, void, undefined> {
    try {
      for (let piece = await this.speak(); piece !== undefined; piece = await this.speak()) {
        yield piece;
        this.attempts = new Attempts(this.options.retries);
      }
    } finally {
      await this.endTurn();
    }
  }

  /** Returns the next piece; undefined after the last one. @throws SpeechError */
  private async speak(): Promise<SpokenInTurn<Piece> | undefined> {
    for (;;) {
      try {
        const piece = await this.turn().next();
        return piece && this.delivered(piece);
      } catch (thrown) {
        await this.goOn(this.stepAfter(asSpeechError(thrown)));
      }
    }
  }

  /** Returns the turn of the speaker. @throws SpeechError */
  private turn(): SpeakerTurn<Piece> {
    if (this.stage.is === 'beginning')
      this.stage = { is: 'first speaker', turn: this.turnOf(this.options.speaker()) };
    return this.stage.turn;
  }

  private turnOf(speaker: TextSpeaker<Piece>): SpeakerTurn<Piece> {
    return new SpeakerTurn(speaker, this.next, this.signal);
  }

  private delivered(spoken: Piece): SpokenInTurn<Piece> {
    const { from = 0, finished, warning } = this.options;
    const piece = shifted(this.next === from ? warned(spoken, warning?.()) : spoken, this.seconds);
    finished?.delete(piece.index);
    this.next = piece.index + 1;
    this.seconds = piece.start + piece.duration;
    return { ...piece, takeover: this.stage.is === 'fallback' ? this.stage.takeover : undefined };
  }

  /** The rule of a speech after each failure. */
  private stepAfter(error: SpeechError): Step<Piece> {
    const { stage, attempts } = this;
    if (this.signal.aborted || error.route === 'stopped') return { is: 'failure', error };
    const by = stage.is === 'beginning' ? undefined : stage.turn.successor();
    const reason = stage.is === 'fallback' ? stage.takeover.reason : error;
    if (by !== undefined && canTakeOver(error)) return { is: 'takeover', by, reason };
    const failure = stage.is === 'fallback' ? withNote(reason, stage.takeover.account, error) : error;
    const seconds = attempts.secondsUntilNext(failure);
    return seconds === undefined ? { is: 'failure', error: failure } : { is: 'retry', seconds };
  }

  /** Takes the step after a failure. @throws SpeechError the final failure, or the signal's reason */
  private async goOn(step: Step<Piece>): Promise<void> {
    if (step.is === 'failure') throw this.attempts.counted(step.error);
    await this.endTurn();
    if (step.is === 'takeover') {
      const takeover = { account: step.by.name, from: this.next, reason: step.reason };
      this.stage = { is: 'fallback', turn: this.turnOf(step.by), takeover };
      return;
    }
    this.stage = { is: 'beginning' };
    this.options.onProgress?.({ state: 'waiting', seconds: step.seconds });
    await sleep(step.seconds * 1000, this.signal);
  }

  private async endTurn(): Promise<void> {
    if (this.stage.is !== 'beginning') await this.stage.turn.end();
  }
}

const canTakeOver = ({ route }: SpeechError): boolean => route === 'retryable' || route === 'out-of-credits';

function withNote(first: SpeechError, account: string, second: SpeechError): SpeechError {
  const values = { failure: messageOf(first), account, problem: messageOf(second) };
  return first.with({ message: text('fallback-failed', values) });
}

const warned = <Piece extends TimedPiece>(piece: Piece, warning: Text | undefined): Piece =>
  warning === undefined ? piece : { ...piece, warningTexts: [...(piece.warningTexts ?? []), warning] };

/** Starts times after the pieces of the former speaker, whose voice speaks at another rate. */
function shifted<Piece extends TimedPiece>(piece: Piece, start: number): Piece {
  const shift = start - piece.start;
  const { phonemes } = piece;
  if (shift === 0) return piece;
  if (phonemes === undefined) return { ...piece, start };
  const times = phonemes.start_times_seconds.map((time) => time + shift);
  return { ...piece, start, phonemes: { ...phonemes, start_times_seconds: times } };
}
