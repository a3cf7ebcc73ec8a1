import type { SpeechError } from '@herald-speech/client';

/** The place of a running job in the order of all jobs. */
export interface QueuePlace {
  /** Fires if the job is stopped. Its reason is the SpeechError of the stop. */
  readonly signal: AbortSignal;
  /**
   * Resolves when the job may send messages: all jobs before it have left.
   * @param isFinished true if the job only waits. The next job then starts.
   * @throws SpeechError the reason, if the job was stopped before. It then waits only for other stopped jobs.
   */
  turn(isFinished?: boolean): Promise<void>;
  /** Whether `turn` has resolved or will resolve at once. */
  hasTurn(): boolean;
  /** Lets the next jobs leave, although this job still runs. */
  leave(): void;
}

/** One message in the queue of a node. The queue calls exactly one of `run` and `drop`. */
export interface QueueJob {
  /** Jobs of a higher priority run and leave first, unless the job with the turn has sent messages. Equal priorities keep their order. */
  readonly priority: number;
  /** Processes the message. Must not reject, and must end soon after the signal of its place fires. */
  run(place: QueuePlace): Promise<void>;
  /** Called instead of `run` if the job is removed while it waits. Must not throw. */
  drop(reason: SpeechError): void;
  /** Called when the running job becomes the first one: all jobs before it have ended. Must not throw. */
  lead?(): void;
}

/** The work on a message. */
type Work =
  | 'waiting'
  | 'running'
  /** The job only waits for its turn. */
  | 'finished'
  /** The next messages leave, although the job still runs. */
  | 'left';

/** The turn of a message to leave. */
type Turn =
  /** Earlier messages have not left. */
  | { is: 'awaited' }
  /** The job may send messages, and has not asked to. */
  | { is: 'open' }
  /** The job has asked for its open turn: it may have sent messages. */
  | { is: 'used' }
  /** A message of a higher priority took the unused turn. */
  | { is: 'overtaken' }
  /** The job was stopped before its turn. It leaves as stopped. */
  | { is: 'refused'; reason: SpeechError };

/** The stop of a message by a newer message, the user or the end of the node. */
type Stop = { is: 'none' } | { is: 'stopped'; reason: SpeechError };

/** A job in the queue, with its progress. */
export class QueueEntry {
  work: Work = 'waiting';
  private turn: Turn = { is: 'awaited' };
  private stopped: Stop = { is: 'none' };
  private readonly controller = new AbortController();
  private readonly onTurn: (() => void)[] = [];

  /** @param arrival place of the job in the order in which jobs were added */
  constructor(
    readonly job: QueueJob,
    readonly arrival: number,
  ) {}

  get isStarted(): boolean {
    return this.work !== 'waiting';
  }

  get isStopped(): boolean {
    return this.stopped.is === 'stopped';
  }

  /** Whether the job may leave. */
  get hasTurn(): boolean {
    return this.turn.is === 'open' || this.turn.is === 'used' || this.turn.is === 'refused';
  }

  /** Whether the job has or had the turn. */
  get hadTurn(): boolean {
    return this.turn.is !== 'awaited';
  }

  /** Whether the job may have sent messages or is stopped: no other job overtakes it. */
  get isFixed(): boolean {
    return this.turn.is === 'used' || this.isStopped;
  }

  /** Returns the place of the job, which starts. @param changed called when the job has finished or left, before it ends */
  begin(changed: () => void): QueuePlace {
    this.work = 'running';
    return {
      signal: this.controller.signal,
      turn: (isFinished = false) => {
        if (isFinished && this.work === 'running') this.work = 'finished';
        if (isFinished && !this.hasTurn) changed();
        return this.untilTurn();
      },
      hasTurn: () => this.hasTurn,
      leave: () => {
        this.work = 'left';
        changed();
      },
    };
  }

  giveTurn(): void {
    if (this.hasTurn) return;
    const isAsked = this.onTurn.length > 0;
    const { stopped } = this;
    if (stopped.is === 'stopped') this.turn = { is: 'refused', reason: stopped.reason };
    else this.turn = { is: isAsked ? 'used' : 'open' };
    for (const resolve of this.onTurn.splice(0)) resolve();
  }

  /** Called when another job overtakes this one. */
  loseTurn(): void {
    if (this.turn.is === 'open') this.turn = { is: 'overtaken' };
  }

  private async untilTurn(): Promise<void> {
    if (this.turn.is === 'open') this.turn = { is: 'used' };
    if (!this.hasTurn) await new Promise<void>((resolve) => this.onTurn.push(resolve));
    if (this.turn.is === 'refused') throw this.turn.reason;
  }

  stop(reason: SpeechError): void {
    if (this.isStopped) return;
    this.stopped = { is: 'stopped', reason };
    this.controller.abort(reason);
  }

  /** Drops a stopped job that has not started. */
  drop(): void {
    if (this.stopped.is === 'stopped') this.job.drop(this.stopped.reason);
  }
}
