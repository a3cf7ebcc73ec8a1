import { onAbort, reasonOf } from '../base/abort.js';
import { asSpeechError, SpeechError } from '../base/errors.js';
import { text } from '../base/messages.js';
import type { Breaker, Circuit } from './breaker.js';
import { createTimeLimit, type TimeLimit } from './time-limit.js';

/** Everything that a session must know of a speaker: an account, or another service that speaks. */
export interface TextSpeaker<Piece> {
  name: string;
  /** Returns the milliseconds without audio until the next speaker takes over. Only for a speaker with a next one. @throws SpeechError */
  patience(): number;
  breaker: Breaker;
  /**
   * Starts to speak the pieces of the text from the index `first`.
   * @param onWait receives each wait for the rate limit or the next try in seconds
   * @throws SpeechError
   */
  open(first: number, signal: AbortSignal, onWait?: (seconds: number) => void): Promise<PieceSource<Piece>>;
  /** Returns the speaker that takes over; undefined for the last speaker. @throws SpeechError */
  next(): TextSpeaker<Piece> | undefined;
}

/** The pieces of a text from one speaker. */
interface PieceSource<Piece> {
  /** Speaks the next piece; undefined after the last one. @throws SpeechError */
  next(): Promise<Piece | undefined>;
  /** Ends all work. */
  end(): Promise<void>;
}

/** The stage of a turn. `limits` apply if another speaker can take over. */
type Stage<Piece> =
  | { is: 'beginning' }
  | { is: 'alone'; source?: PieceSource<Piece> }
  | { is: 'replaceable'; by: TextSpeaker<Piece>; limits?: Limits; source?: PieceSource<Piece> };

/** The turn of one speaker, until its last piece or its failure. */
export class SpeakerTurn<Piece extends { cached: boolean }> {
  private stage: Stage<Piece> = { is: 'beginning' };

  /** @param first index of the first piece */
  constructor(
    private readonly speaker: TextSpeaker<Piece>,
    private readonly first: number,
    private readonly signal: AbortSignal,
  ) {}

  /** Returns the speaker that can take over. */
  successor(): TextSpeaker<Piece> | undefined {
    return this.stage.is === 'replaceable' ? this.stage.by : undefined;
  }

  /** Returns the next piece; undefined after the last one. @throws SpeechError */
  async next(): Promise<Piece | undefined> {
    const stage = this.begun();
    if (stage.is === 'alone') {
      stage.source ??= await this.speaker.open(this.first, this.signal);
      return stage.source.next();
    }
    const limits = (stage.limits ??= limitsOf(this.speaker, this.signal));
    return limited(limits, async () => {
      const onWait = (seconds: number) => limits.time.announce(seconds * 1000);
      stage.source ??= await this.speaker.open(this.first, limits.signal, onWait);
      return stage.source.next();
    });
  }

  /** Ends all work of the speaker. */
  async end(): Promise<void> {
    const { stage } = this;
    if (stage.is === 'beginning') return;
    if (stage.is === 'replaceable') stage.limits?.end();
    await stage.source?.end();
  }

  private begun(): Exclude<Stage<Piece>, { is: 'beginning' }> {
    if (this.stage.is !== 'beginning') return this.stage;
    const by = this.speaker.next();
    this.stage = by === undefined ? { is: 'alone' } : { is: 'replaceable', by };
    return this.stage;
  }
}

/** The limits of a speaker that another one can replace. */
interface Limits {
  circuit: Circuit;
  time: TimeLimit;
  hasSpoken: boolean;
  /** Aborts at the end of the time, or with the text. */
  signal: AbortSignal;
  end(): void;
}

/** @throws SpeechError if the circuit is open, or the patience is invalid */
function limitsOf(speaker: Pick<TextSpeaker<unknown>, 'patience' | 'breaker'>, parent: AbortSignal): Limits {
  const milliseconds = speaker.patience();
  const tooLate = () => new SpeechError('timed-out', text('no-audio', { seconds: milliseconds / 1000 }));
  const circuit = speaker.breaker.enter();
  const controller = new AbortController();
  const unlink = onAbort(parent, (reason) => controller.abort(reason));
  const end = () => {
    unlink();
    circuit.end();
  };
  const time = createTimeLimit(milliseconds, () => controller.abort(tooLate()));
  return { circuit, time, hasSpoken: false, signal: controller.signal, end };
}

async function limited<Piece extends { cached: boolean }>(
  limits: Limits,
  work: () => Promise<Piece | undefined>,
): Promise<Piece | undefined> {
  const { circuit, time, signal } = limits;
  try {
    const piece = await time.during(work, limits.hasSpoken);
    if (piece !== undefined) limits.hasSpoken = true;
    if (piece?.cached === false) circuit.succeeded();
    return piece;
  } catch (thrown) {
    const error = signal.aborted ? reasonOf(signal) : asSpeechError(thrown);
    circuit.failed(error);
    throw error;
  }
}
