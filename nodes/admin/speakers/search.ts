import { EventEmitter, once } from 'node:events';
import type { FoundSpeaker, KindName } from '@herald-speech/speakers';

const searchDefaults = {
  /** Milliseconds of a search. */
  duration: 10_000,
  /** Milliseconds after which a search ends that no dialog asks for any more. */
  grace: 2000,
  /** Milliseconds in which speakers are collected for one reply. */
  collect: 100,
  /** Maximum number of speakers. */
  maxFound: 256,
};

/** A speaker that the search has found, with its kind. */
export type SpeakerOfSearch = Omit<FoundSpeaker, 'secret'> & { readonly kind: KindName };

interface SearchState {
  /** Increases with each change. */
  version: number;
  isSearching: boolean;
  speakers: readonly SpeakerOfSearch[];
}

/** The search for speakers, which all dialogs and the sidebar share. It runs only while one of them asks. */
export class SpeakerSearch {
  private found = new Map<string, SpeakerOfSearch>();
  private readonly changes = new EventEmitter().setMaxListeners(0);
  private version = 0;
  private current: AbortController | undefined;
  private waiting = 0;
  private end: NodeJS.Timeout | undefined;

  /** @param find yields speakers until the signal aborts */
  constructor(
    private readonly find: (signal: AbortSignal) => AsyncIterable<FoundSpeaker & { readonly kind: KindName }>,
    private readonly options = searchDefaults,
  ) {}

  /** Starts a search, or joins the one that runs. */
  start(): void {
    if (this.current !== undefined) return;
    const current = new AbortController();
    this.current = current;
    const end = () => {
      this.current = undefined;
      this.changed();
    };
    // Without a network there are no speakers.
    void this.run(current).then(end, end);
    this.endWithoutReaders();
  }

  /** Ends the search, as after its time. */
  stop(): void {
    clearTimeout(this.end);
    this.current?.abort();
  }

  /** Whether the last search has found a speaker of this kind at this address. */
  has(kind: string, address: string): boolean {
    return this.found.has(keyOf(kind, address));
  }

  /**
   * Resolves with the found speakers as soon as they differ from a version, or the search has ended.
   * @param after the version that the caller has
   */
  async since(after: number, signal: AbortSignal): Promise<SearchState> {
    this.waiting += 1;
    try {
      if (this.version <= after && this.current !== undefined) await this.nextChange(signal);
      signal.throwIfAborted();
    } finally {
      this.waiting -= 1;
      this.endWithoutReaders();
    }
    return {
      version: this.version,
      isSearching: this.current !== undefined,
      speakers: [...this.found.values()],
    };
  }

  private async nextChange(signal: AbortSignal): Promise<void> {
    await once(this.changes, 'change', { signal });
    if (this.current === undefined) return;
    // Many speakers answer at once.
    await new Promise((resolve) => setTimeout(resolve, this.options.collect));
  }

  /** Speakers of an earlier search stay until the end, so that the lists do not flicker. */
  private async run(current: AbortController): Promise<void> {
    const seen = new Map<string, SpeakerOfSearch>();
    const timer = setTimeout(() => current.abort(), this.options.duration);
    try {
      for await (const { secret: _, ...speaker } of this.find(current.signal)) {
        const key = keyOf(speaker.kind, speaker.address);
        if (seen.size >= this.options.maxFound) continue;
        seen.set(key, speaker);
        this.found.set(key, speaker);
        this.changed();
      }
    } finally {
      clearTimeout(timer);
      this.found = seen;
    }
  }

  private changed(): void {
    this.version += 1;
    this.changes.emit('change');
  }

  private endWithoutReaders(): void {
    clearTimeout(this.end);
    if (this.waiting > 0 || this.current === undefined) return;
    this.end = setTimeout(() => this.stop(), this.options.grace).unref();
  }
}

const keyOf = (kind: string, address: string): string => `${kind} ${address}`;
