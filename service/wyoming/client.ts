import type { Socket } from 'node:net';
import { errorForLog } from '../kit/log.js';
import { WyomingConnection, type ConnectionTimeouts } from './connection.js';
import { errorEvent, wyomingFailure } from './error-event.js';
import type { WyomingEvent } from './event.js';
import { EventReader } from './event-reader.js';
import { infoEvent } from './info.js';
import type { WyomingDependencies } from './options.js';
import { Session, type SpeechOrder } from './session.js';
import { spokenEvents } from './speak.js';

/** An answer that no client waits for. */
const PROBE: WyomingEvent = { type: 'pong', data: {} };

/** A connected client: reads its events and speaks its texts. */
export class ConnectedClient {
  readonly #connection: WyomingConnection;
  readonly #session: Session;
  readonly #dependencies: WyomingDependencies;

  constructor(socket: Socket, timeouts: ConnectionTimeouts, dependencies: WyomingDependencies) {
    this.#dependencies = dependencies;
    this.#connection = new WyomingConnection(socket, timeouts);
    this.#connection.closeWhenIdle(() => !this.#session.isBusy);
    this.#session = new Session({
      send: (event) => this.#connection.send(event),
      describe: () => this.#describe(),
      speak: (order) => this.#speak(order),
    });
  }

  get isIdle(): boolean {
    return !this.#session.isBusy && !this.#session.isReceiving && !this.#connection.signal.aborted;
  }

  /** Handles events until the client closes its side, and then finishes the texts in work. Never rejects. */
  async serve(): Promise<void> {
    try {
      await this.#read();
    } catch (error) {
      await this.#finished();
      this.#fail(error);
    }
    await this.#connection.probe(PROBE, this.#finished());
    this.#connection.end();
    this.#connection.discard();
    await this.#session.finished();
  }

  end(last?: WyomingEvent): void {
    this.#connection.end(last);
  }

  /** Ends the connection after the texts in work. */
  endAfterWork(): void {
    if (!this.#session.isReceiving) void this.#session.finished().then(() => this.#connection.end());
  }

  destroy(reason: string): void {
    this.#connection.destroy(reason);
  }

  async #read(): Promise<void> {
    const reader = new EventReader();
    for await (const bytes of this.#connection.received()) {
      for (const event of reader.read(bytes)) await this.#session.handle(event);
    }
  }

  /** Waits for the texts in work. A text that the client has not completed never ends. */
  async #finished(): Promise<void> {
    if (!this.#session.isReceiving) await this.#session.finished();
  }

  #describe(): WyomingEvent {
    const { metrics, account } = this.#dependencies;
    metrics.request({ frontEnd: 'wyoming', operation: 'describe', status: 'ok' });
    return infoEvent(this.#dependencies, account);
  }

  async #speak(order: SpeechOrder): Promise<void> {
    const start = performance.now();
    const { signal } = this.#connection;
    try {
      const call = { caller: this.#dependencies.callerOf(), signal };
      for await (const event of spokenEvents(this.#dependencies, order, call))
        await this.#connection.send(event);
      this.#report('ok', start);
    } catch (error) {
      this.#report(signal.aborted ? 'stopped' : wyomingFailure(error).code, start);
      this.#fail(error);
    }
  }

  #report(status: string, start: number): void {
    const { log, metrics } = this.#dependencies;
    metrics.request({ frontEnd: 'wyoming', operation: 'synthesize', status });
    const ms = Math.round(performance.now() - start);
    log({ level: 'info', protocol: 'wyoming', event: 'synthesize', status, ms });
  }

  /** Ends the connection with an error event. A client that waits for audio continues only when the connection ends. */
  #fail(error: unknown): void {
    if (this.#connection.signal.aborted) return;
    const failure = wyomingFailure(error);
    if (failure.isInternal) this.#dependencies.log({ level: 'error', error: errorForLog(error) });
    this.#connection.end(errorEvent(failure));
  }
}
