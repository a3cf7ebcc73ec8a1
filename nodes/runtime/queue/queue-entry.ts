import type { SpeechError } from '@herald-speech/client';

/** The place of a running job in the order of all jobs. */
export interface Place {
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
export interface Job {
  /** Jobs of a higher priority run and leave first, unless the job with the turn has sent messages. Equal priorities keep their order. */
  readonly priority: number;
  /** Processes the message. Must not reject, and must end soon after the signal of its place fires. */
  run(place: Place): Promise<void>;
  /** Called instead of `run` if the job is removed while it waits. Must not throw. */
  drop(reason: SpeechError): void;
  /** Called once for a running job, when all jobs before it have ended. Must not throw. */
  lead?(): void;
}

/** A job in the queue, with its progress. */
export class Entry {
  isStarted = false;
  /** True if the job only waits for its turn. */
  isFinished = false;
  /** True if the job may send messages. */
  hasTurn = false;
  /** True if the job has or had the turn. */
  hadTurn = false;
  /** True if the job had the turn when it asked for it: it may have sent messages. */
  private usedTurn = false;
  hasLeft = false;
  private readonly controller = new AbortController();
  private reason: SpeechError | undefined;
  /** The reason of a stop before the turn. */
  private refusal: SpeechError | undefined;
  private readonly onTurn: (() => void)[] = [];
  private leads = false;

  /** @param arrival place of the job in the order in which jobs were added */
  constructor(
    readonly job: Job,
    readonly arrival: number,
  ) {}

  get isStopped(): boolean {
    return this.reason !== undefined;
  }

  /** True if the job has sent messages or is stopped: no other job overtakes it. */
  get isFixed(): boolean {
    return this.usedTurn || this.isStopped;
  }

  /** Runs the job. @param changed called when the job has finished or left, before it ends */
  run(changed: () => void): Promise<void> {
    this.isStarted = true;
    return this.job.run({
      signal: this.controller.signal,
      turn: (isFinished = false) => {
        this.isFinished ||= isFinished;
        if (isFinished && !this.hasTurn) changed();
        return this.untilTurn();
      },
      hasTurn: () => this.hasTurn,
      leave: () => {
        this.hasLeft = true;
        changed();
      },
    });
  }

  giveTurn(): void {
    if (this.hasTurn) return;
    this.hasTurn = true;
    this.hadTurn = true;
    this.refusal = this.reason;
    this.usedTurn ||= this.onTurn.length > 0;
    for (const resolve of this.onTurn.splice(0)) resolve();
  }

  /** Called when another job overtakes this one. */
  loseTurn(): void {
    this.hasTurn = false;
  }

  private async untilTurn(): Promise<void> {
    this.usedTurn ||= this.hasTurn;
    if (!this.hasTurn) await new Promise<void>((resolve) => this.onTurn.push(resolve));
    if (this.refusal !== undefined) throw this.refusal;
  }

  lead(): void {
    if (this.leads || !this.isStarted) return;
    this.leads = true;
    this.job.lead?.();
  }

  stop(reason: SpeechError): void {
    if (this.isStopped) return;
    this.reason = reason;
    this.controller.abort(reason);
  }

  /** Drops a stopped job that has not started. */
  drop(): void {
    if (this.reason !== undefined) this.job.drop(this.reason);
  }
}
