/** Decides from the reports of a speaker whether a sound plays as it should. Times are milliseconds of `performance.now()`. */
import { SpeakerFault } from '../fault.js';
import type { Grade, Kind, Position, Sound, Warning } from '../kind.js';

const limits = {
  /** Milliseconds until a player must have begun to fetch the sound; less for a short sound, whose end has the same margin. */
  fetch: 8000,
  /** Milliseconds from the start of the fetch to the first progress, besides the unit of the position. */
  start: 2000,
  /** Milliseconds from one progress to the next. Some speakers report whole seconds, and miss a question. */
  progress: 4000,
  /** Milliseconds from one report to the next. A speaker without power or network sends none. */
  silence: 2700,
  /** Milliseconds without a report after which a speaker without progress is lost, whatever its format. */
  quiet: 1000,
  /** Milliseconds after the expected end. */
  margin: 3000,
  /** Milliseconds after the expected end in which a speaker must be free. */
  free: 4000,
  /** Seconds by which a sound may end early: the last report is older than the end. */
  early: 0.7,
  /** Seconds after the end of the sound, from which a position belongs to the music before: some speakers report it for a moment. */
  beyond: 1,
  /** Maximum total of excused milliseconds. */
  excused: 5000,
  /** Seconds by which a position falls only if the speaker had reported the position of the music before. */
  fall: 1.5,
} as const;

/** The properties of a kind that decide about its time limits. */
export type WatchedKind = Pick<Kind, 'unit' | 'answersLate' | 'takesSamples'>;

type State =
  | { is: 'asked'; at: number; fetched: number | undefined; isPaused: boolean }
  | { is: 'playing'; started: number; moved: number; position: Position; hasFallen?: boolean };

/** The watch over one sound on one speaker. */
export class Watch {
  /** Warnings of the speaker besides its position. */
  readonly warnings = new Set<Warning>();
  private state: State;
  /** The time of the last report. */
  private heard: number;
  /** Milliseconds since the last report, and in all, for which this computer stood still. */
  private excused = 0;
  private excusedInAll = 0;

  constructor(
    private readonly sound: Sound,
    now: number,
    private readonly pace: WatchedKind = {},
  ) {
    this.heard = now;
    this.state = { is: 'asked', at: now, fetched: undefined, isPaused: false };
  }

  /** The start of the sound; undefined before it. */
  get started(): number | undefined {
    return this.state.is === 'playing' ? this.state.started : undefined;
  }

  /** Milliseconds until the speaker must be free. */
  freeIn(now: number): number {
    return this.expectedEnd + limits.free - now;
  }

  /** Seconds of the sound that the speaker reported. */
  get seconds(): number {
    return this.state.is === 'playing' ? this.state.position.seconds : 0;
  }

  /** Notes that the speaker waits for other speakers: no time limit counts. */
  wait(): void {
    this.heard = Infinity;
  }

  /** Notes that the wait is over. */
  go(now: number): void {
    this.heard = now;
    this.excused = 0;
    this.state = { is: 'asked', at: now, fetched: undefined, isPaused: false };
  }

  /**
   * Excuses the speaker, until its next report, for a time in which this computer stood still: it did not read the reports either.
   * @param ms milliseconds until now
   */
  excuse(ms: number, now: number): void {
    if (this.heard === Infinity) return;
    const more = Math.min(ms, limits.excused - this.excusedInAll, now - this.heard - this.excused);
    this.excused += more;
    this.excusedInAll += more;
  }

  /** Notes a report. A position of 0 does not prove a start. */
  note(position: Position, now: number): void {
    this.heard = now;
    this.excused = 0;
    const { state } = this;
    if (position.warning !== undefined) this.warnings.add(position.warning);
    if (state.is === 'playing') return this.noteProgress(state, position, now);
    const { seconds, isPaused } = position;
    if (seconds > 0 && seconds <= this.sound.duration + limits.beyond)
      this.state = { is: 'playing', started: now - seconds * 1000, moved: now, position };
    else state.isPaused = isPaused;
  }

  private noteProgress(state: Extract<State, { is: 'playing' }>, position: Position, now: number): void {
    const began = now - position.seconds * 1000;
    const former = state.position.seconds;
    // A user who seeks again and again does not delay the end for ever.
    if (position.seconds < former - limits.fall && state.hasFallen !== true) {
      this.state = { is: 'playing', started: began, moved: now, position, hasFallen: true };
      return;
    }
    const hasMoved = position.seconds > former || position.isPaused;
    // A report that comes late, or has whole seconds, shows a later start.
    const started = Math.min(state.started, began);
    this.state = { ...state, started, moved: hasMoved ? now : state.moved, position };
  }

  /** Returns the reason for which the announcement ends now; undefined while it goes on. */
  fault(now: number): SpeakerFault | undefined {
    const { state } = this;
    if (this.heard === Infinity) return undefined;
    if (state.is === 'asked') this.noteFetch(state, now);
    const judged = now - this.excused;
    if (this.isLost(judged)) return this.lost();
    return state.is === 'asked'
      ? this.faultBeforeStart(state, judged)
      : this.faultWhilePlaying(state, judged);
  }

  /**
   * Returns the fault of an end that comes too early. The speaker may have gone on after its last report: by its unit, or for the time of
   * a late reply.
   */
  faultAtEnd(grade: Grade, now: number): SpeakerFault | undefined {
    const { state, sound } = this;
    if (grade !== 'position' && grade !== 'state') return undefined;
    const since = state.is === 'playing' && !state.position.isPaused ? (now - state.moved) / 1000 : 0;
    const seconds = this.seconds + Math.min(since, Math.max(1, (now - this.heard) / 1000));
    if (seconds >= sound.duration - limits.early) return undefined;
    return new SpeakerFault('speaker-short', { seconds, duration: sound.duration });
  }

  private get expectedEnd(): number {
    const { state, sound } = this;
    return (state.is === 'playing' ? state.started : state.at) + sound.duration * 1000;
  }

  private lost = () => new SpeakerFault('speaker-lost', { seconds: this.seconds, problem: 'no reply' });

  private isLost(now: number): boolean {
    const isLate = this.pace.answersLate !== true || now > this.expectedEnd + limits.margin;
    return isLate && now - this.heard > limits.silence;
  }

  /** Returns the time up to which a speaker without progress can be judged. A late reply may report progress. */
  private judged(now: number): number {
    return this.pace.answersLate === true ? this.heard : now;
  }

  private noteFetch(state: Extract<State, { is: 'asked' }>, now: number): void {
    if (this.pace.takesSamples === true || this.sound.isFetched()) state.fetched ??= now;
  }

  private faultBeforeStart(state: Extract<State, { is: 'asked' }>, now: number): SpeakerFault | undefined {
    const { unit = 0 } = this.pace;
    if (state.fetched === undefined)
      return now - state.at > Math.min(limits.fetch, this.sound.duration * 1000 + limits.margin)
        ? new SpeakerFault('speaker-not-fetched')
        : undefined;
    if (this.judged(now) - state.fetched <= limits.start + unit * 1000) return undefined;
    if (now - this.heard > limits.quiet) return this.lost();
    // A user can pause a speaker that reports whole seconds before the first one.
    return new SpeakerFault(state.isPaused ? 'speaker-paused' : 'speaker-no-progress');
  }

  private faultWhilePlaying(
    { moved, position }: Extract<State, { is: 'playing' }>,
    now: number,
  ): SpeakerFault | undefined {
    const { seconds, isPaused } = position;
    if (now > this.expectedEnd + limits.margin)
      return new SpeakerFault(isPaused ? 'speaker-paused' : 'speaker-late', { seconds });
    const isAtEnd = seconds >= this.sound.duration - limits.early;
    return !isAtEnd && this.judged(now) - moved > limits.progress
      ? new SpeakerFault('speaker-lost', { seconds, problem: 'it makes no progress' })
      : undefined;
  }
}
