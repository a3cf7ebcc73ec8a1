import { SpeechError } from '@herald-speech/client';
import { say } from '../runtime/messages.js';

/** What an announcement needs: the keys of its speakers, and its rank. */
export interface Wish {
  readonly speakers: readonly string[];
  /** Higher priorities go first, and end the announcement that plays. */
  readonly priority: number;
  /** The id of the node. Announcements of one node keep their order. */
  readonly node: string;
  /** True if the announcement ends the earlier ones, unless their priority is higher. */
  readonly interrupts: boolean;
}

/** The place of an announcement in the queues of its speakers. */
export interface Booking {
  /**
   * Resolves when all speakers are free for the announcement.
   * @throws the reason of the signal
   */
  turn(signal: AbortSignal): Promise<void>;
  /** Returns the signal that fires if another announcement takes the speaker. */
  taken(speaker: string): AbortSignal;
  /** Frees one speaker, or all. */
  leave(speaker?: string): void;
}

/** An announcement in the queues. */
class Entry {
  is: 'booked' | 'ready' | 'playing' = 'booked';
  /** The speakers that the announcement still needs. */
  readonly needed: Map<string, AbortController>;
  start = () => {};

  constructor(readonly wish: Wish) {
    this.needed = new Map(wish.speakers.map((speaker) => [speaker, new AbortController()]));
  }

  /** Whether a new announcement ends this one on a common speaker. */
  yieldsTo({ wish }: Entry): boolean {
    if (this.is === 'booked') return false;
    const difference = wish.priority - this.wish.priority;
    return wish.interrupts ? difference >= 0 : difference > 0 && this.is === 'playing';
  }
}

/**
 * The queues of the speakers: one for each, over all nodes and accounts of the process. An announcement starts when it has all of
 * its speakers, so that they start together. The highest priority goes first, then the earliest arrival.
 */
export class SpeakerQueue {
  /** In the order in which they get a speaker, apart from those that play. */
  private readonly entries: Entry[] = [];

  /** Books speakers for an announcement whose sound is not ready yet. Call `leave` at its end in any case. */
  book(wish: Wish): Booking {
    const entry = new Entry(wish);
    const behind = this.entries.findIndex((other) => other.wish.priority < wish.priority);
    this.entries.splice(behind < 0 ? this.entries.length : behind, 0, entry);
    return {
      turn: (signal) => this.turn(entry, signal),
      taken: (speaker) => entry.needed.get(speaker)?.signal ?? AbortSignal.abort(interrupted()),
      leave: (speaker) => this.leave(entry, speaker),
    };
  }

  /** Whether an announcement waits for a speaker or plays on it. */
  stateOf(speaker: string): 'idle' | 'waiting' | 'playing' {
    const own = this.entries.filter(({ needed }) => needed.has(speaker));
    if (own.some(({ is }) => is === 'playing')) return 'playing';
    return own.some(({ is }) => is === 'ready') ? 'waiting' : 'idle';
  }

  private async turn(entry: Entry, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    let stop = () => {};
    const turn = new Promise<void>((resolve, reject) => {
      entry.start = resolve;
      stop = () => reject(signal.reason);
      signal.addEventListener('abort', stop, { once: true });
    });
    entry.is = 'ready';
    this.interrupt(entry);
    this.update();
    try {
      await turn;
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  /** Ends earlier announcements on the speakers of a new one. */
  private interrupt(entry: Entry): void {
    for (const other of this.entries) {
      if (other === entry || !other.yieldsTo(entry)) continue;
      for (const [speaker, taken] of other.needed) if (entry.needed.has(speaker)) taken.abort(interrupted());
      // One that waits gives up the speaker at once; one that plays ends its sound first.
      if (other.is !== 'playing') for (const speaker of entry.needed.keys()) other.needed.delete(speaker);
    }
  }

  private leave(entry: Entry, speaker?: string): void {
    if (speaker === undefined) entry.needed.clear();
    else entry.needed.delete(speaker);
    const index = this.entries.indexOf(entry);
    if (entry.needed.size === 0 && index >= 0) this.entries.splice(index, 1);
    this.update();
  }

  private update(): void {
    for (const entry of this.entries) {
      if (entry.is !== 'ready' || this.isBlocked(entry)) continue;
      entry.is = 'playing';
      entry.start();
    }
  }

  /** Whether another announcement plays on a speaker, or goes first. */
  private isBlocked(entry: Entry): boolean {
    const before = this.entries.indexOf(entry);
    return this.entries.some((other, index) => {
      if (other === entry || ![...entry.needed.keys()].some((speaker) => other.needed.has(speaker)))
        return false;
      if (other.is === 'playing') return true;
      // A sound that is not ready holds up only its own node.
      return index < before && (other.is === 'ready' || other.wish.node === entry.wish.node);
    });
  }
}

const interrupted = () => new SpeechError('superseded', say('interrupted'));

/** The queues of this process. */
export const speakerQueue = new SpeakerQueue();
