import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AudioRequest, watchRequests } from '../../output/urls/requests.js';

const logDefaults = {
  /** Maximum number of requests in memory. The oldest leave first. */
  maxRequests: 200,
  /** Milliseconds that a reply waits for a change. Proxies end requests without a reply after 30 seconds or more. */
  wait: 20_000,
  /** Milliseconds in which changes are collected for one reply, so that a running download causes few replies. */
  collect: 250,
};

/** The requests for some sounds. */
interface LogState {
  /** Increases with each change. */
  version: number;
  requests: readonly AudioRequest[];
}

/** Notes the requests for test sounds, and lets the dialog wait for changes. */
export class RequestLog {
  private readonly requests = new Map<number, AudioRequest>();
  private readonly changes = new EventEmitter().setMaxListeners(0);
  private version = 0;
  private stopWatching: (() => void) | undefined;

  /** @param isNoted returns whether the file name is a test sound */
  constructor(
    private readonly isNoted: (name: string) => boolean,
    private readonly options = logDefaults,
  ) {}

  start(): void {
    this.stopWatching ??= watchRequests((request) => this.note(request));
  }

  /** Stops and forgets all requests. */
  stop(): void {
    this.stopWatching?.();
    this.stopWatching = undefined;
    this.requests.clear();
  }

  /** Whether a player has requested a file. */
  has(name: string): boolean {
    return [...this.requests.values()].some((request) => request.name === name);
  }

  /**
   * Resolves with the requests for the given file names as soon as they differ from a version, or after the waiting time.
   * @param after the version that the caller has
   * @throws the reason of the signal
   */
  async since(names: ReadonlySet<string>, after: number, signal: AbortSignal): Promise<LogState> {
    if (this.version <= after && (await this.changed(signal)))
      await sleep(this.options.collect, undefined, { signal });
    const requests = [...this.requests.values()].filter(({ name }) => names.has(name));
    return { version: this.version, requests };
  }

  /** Resolves with true at the next change, or with false after the waiting time. @throws the reason of the signal */
  private async changed(signal: AbortSignal): Promise<boolean> {
    const late = new AbortController();
    const change = once(this.changes, 'change', { signal: late.signal });
    const stop = () => late.abort();
    const timer = setTimeout(stop, this.options.wait);
    signal.addEventListener('abort', stop, { once: true });
    try {
      await change.catch(() => undefined);
      signal.throwIfAborted();
      return !late.signal.aborted;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    }
  }

  private note(request: AudioRequest): void {
    if (!this.isNoted(request.name)) return;
    this.requests.set(request.id, request);
    const [oldest] = this.requests.keys();
    if (this.requests.size > this.options.maxRequests && oldest !== undefined) this.requests.delete(oldest);
    this.version += 1;
    this.changes.emit('change');
  }
}
