/** The search for speakers of this page. The runtime searches while a list is shown, at most 10 seconds after each start. */
import { countOf } from '@herald-speech/browser';
import { callRuntime } from '../lib/runtime.js';
import { type FoundRow, foundIn } from './found.js';

/** Milliseconds between a reply and the next call. */
const PAUSE_MS = 100;

type SearchState = { is: 'idle' } | { is: 'searching' } | { is: 'ended' } | { is: 'failed'; error: unknown };

class Search {
  found: readonly FoundRow[] = [];
  state: SearchState = { is: 'idle' };
  private readonly listeners = new Set<() => void>();
  private current: AbortController | undefined;

  /** Calls the listener after each change. Returns a function that ends this; without listeners, the search ends. */
  follow(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
      if (this.listeners.size === 0) this.stop();
    };
  }

  start(): void {
    if (this.state.is === 'searching') return;
    const current = new AbortController();
    this.current = current;
    this.change({ is: 'searching' });
    void this.run(current.signal);
  }

  private stop(): void {
    this.current?.abort();
    if (this.state.is === 'searching') this.change({ is: 'ended' });
  }

  private async run(signal: AbortSignal): Promise<void> {
    try {
      let after = 0;
      for (let isFirst = true; ; isFirst = false) {
        const reply = await callRuntime('speakers/search', { start: isFirst, after }, signal);
        if (signal.aborted) return;
        after = countOf(reply['version']);
        this.found = foundIn(reply).sort((one, other) => one.name.localeCompare(other.name, RED.i18n.lang()));
        if (reply['isSearching'] !== true) return this.change({ is: 'ended' });
        this.change({ is: 'searching' });
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    } catch (error) {
      if (!signal.aborted) this.change({ is: 'failed', error });
    }
  }

  private change(state: SearchState): void {
    this.state = state;
    for (const listener of this.listeners) listener();
  }
}

/** One search for all lists of the page. */
export const speakerSearch = new Search();
