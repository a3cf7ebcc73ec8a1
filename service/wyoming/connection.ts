import { once, setMaxListeners } from 'node:events';
import type { Socket } from 'node:net';
import { ServiceError } from '../kit/errors.js';
import { encodeEvent, type WyomingEvent } from '@herald-speech/client/wyoming';

/** Time limits of a connection in milliseconds. */
export interface ConnectionTimeouts {
  /** Without any traffic, when no speech is in work. */
  idle: number;
  /** Until a client that stopped reading accepts more audio. */
  stalled: number;
  /** Until a client that sends no text of an open stream, or accepts no audio, gives way to a new client. */
  yielding: number;
  /** Between two checks if a client that has closed its side still reads. */
  probing: number;
  /** Until the client closes its side, after the service has closed its own. */
  lingering: number;
}

/** The connection of a client. Writes wait for a client that reads slowly. */
export class WyomingConnection {
  readonly #socket: Socket;
  readonly #timeouts: ConnectionTimeouts;
  readonly #end = new AbortController();
  /** Time since which the client accepts no more audio. */
  #stalledAt: number | undefined;

  constructor(socket: Socket, timeouts: ConnectionTimeouts) {
    this.#socket = socket;
    this.#timeouts = timeouts;
    setMaxListeners(0, this.signal);
    const hungUp = () => this.#abort('the client has closed the connection');
    socket.once('close', hungUp).on('error', hungUp);
  }

  /** Aborts when the client hangs up, a time limit is over, or the service ends the connection. */
  get signal(): AbortSignal {
    return this.#end.signal;
  }

  /** Milliseconds since which the service waits until the client accepts more audio; 0 if it does not wait. */
  get stalledFor(): number {
    return this.#stalledAt === undefined ? 0 : performance.now() - this.#stalledAt;
  }

  /** Yields the received bytes until the client closes its side. Reads no more while the caller handles them. */
  received(): AsyncIterable<Uint8Array> {
    return this.#socket.iterator({ destroyOnReturn: false });
  }

  /**
   * Sends an event. Resolves when the client has accepted enough of the events before.
   * @throws the reason of the signal
   */
  async send(event: WyomingEvent): Promise<void> {
    this.signal.throwIfAborted();
    if (this.#socket.write(encodeEvent(event))) return;
    this.#stalledAt ??= performance.now();
    const stalled = setTimeout(() => this.destroy('the client reads no more'), this.#timeouts.stalled);
    try {
      await once(this.#socket, 'drain', { signal: this.signal });
    } catch {
      this.signal.throwIfAborted();
    } finally {
      clearTimeout(stalled);
      this.#stalledAt = undefined;
    }
  }

  /**
   * Detects that a client that has closed its side has hung up: its system answers further bytes with a reset. Such a client
   * looks like a client that only sends no more.
   * @param probe an event that clients ignore
   * @param work Without new bytes, the check repeats until its end.
   */
  async probe(probe: WyomingEvent, work: Promise<void>): Promise<void> {
    const timer = setInterval(() => {
      if (this.#socket.writableLength === 0 && !this.signal.aborted) this.#socket.write(encodeEvent(probe));
    }, this.#timeouts.probing);
    await work.finally(() => clearInterval(timer));
  }

  /** Sends a last event, if any, and closes the connection. The client has some time to read the rest. */
  end(last?: WyomingEvent): void {
    if (this.signal.aborted) return;
    this.#abort('the service has closed the connection');
    if (last !== undefined) this.#socket.write(encodeEvent(last));
    this.#socket.end();
    const lingering = setTimeout(() => this.#socket.destroy(), this.#timeouts.lingering);
    this.#socket.once('close', () => clearTimeout(lingering));
  }

  /** Ignores all further bytes. A connection that closes with unread bytes is reset, and the client could lose the last event. */
  discard(): void {
    this.#socket.resume();
  }

  /** Closes the connection at once. */
  destroy(reason: string): void {
    this.#abort(reason);
    this.#socket.destroy();
  }

  /** Closes the connection after the idle time, if `isIdle` returns true then. */
  closeWhenIdle(isIdle: () => boolean): void {
    this.#socket.setTimeout(this.#timeouts.idle);
    this.#socket.on('timeout', () => {
      if (isIdle()) this.end();
    });
  }

  #abort(reason: string): void {
    this.#end.abort(new ServiceError(408, reason));
  }
}
