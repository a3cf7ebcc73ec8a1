/** Follows the requests for test sounds while the panel shows them. */
import { countOf } from '@herald-speech/browser';
import { callRuntime } from '../lib/runtime.js';
import { requestsIn, type SoundRequest } from './requests.js';

/** Maximum number of test sounds of one call. */
const MAX_NAMES = 50;
/** Milliseconds after the last test sound. A speaker that has not fetched it by then never will. */
const LIFETIME_MS = 300_000;

/** Milliseconds between a reply and the next call. */
const PAUSE_MS = 250;

export interface LiveOptions {
  /** Whether the user can see the requests. */
  isShown(): boolean;
  show(requests: readonly SoundRequest[]): void;
  fail(error: unknown): void;
}

export class LiveRequests {
  private names: string[] = [];
  private lastTest = 0;
  private version = 0;
  private current: AbortController | undefined;

  constructor(private readonly options: LiveOptions) {}

  /** Follows one more test sound. */
  add(name: string): void {
    this.names = [...this.names, name].slice(-MAX_NAMES);
    this.lastTest = Date.now();
    this.resume();
  }

  /** Continues, or starts again with the new names. */
  resume(): void {
    this.pause();
    const current = new AbortController();
    this.current = current;
    void this.follow(current.signal);
  }

  pause(): void {
    this.current?.abort();
    this.current = undefined;
  }

  /** The runtime replies when a request changes, or after its waiting time. */
  private async follow(signal: AbortSignal): Promise<void> {
    try {
      while (!signal.aborted && this.isNeeded()) {
        const request = { names: this.names, after: this.version };
        const reply = await callRuntime('reach/requests', request, signal);
        if (signal.aborted) return;
        this.version = countOf(reply['version']);
        this.options.show(requestsIn(reply['requests']));
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    } catch (error) {
      if (!signal.aborted) this.options.fail(error);
    }
  }

  private isNeeded(): boolean {
    return this.names.length > 0 && this.options.isShown() && Date.now() - this.lastTest < LIFETIME_MS;
  }
}
