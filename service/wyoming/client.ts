import type { Socket } from 'node:net';
import { errorForLog } from '../kit/log.js';
import type { ChosenVoice } from '../speech/named-voice.js';
import { WyomingConnection, type ConnectionTimeouts } from './connection.js';
import { errorEvent, wyomingFailure } from './error-event.js';
import { EventReader, type WyomingEvent } from '@herald-speech/client/wyoming';
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
  readonly #timeouts: ConnectionTimeouts;

  constructor(socket: Socket, timeouts: ConnectionTimeouts, dependencies: WyomingDependencies) {
    this.#dependencies = dependencies;
    this.#timeouts = timeouts;
    this.#connection = new WyomingConnection(socket, timeouts);
    this.#connection.closeWhenIdle(() => !this.#session.isBusy);
    this.#session = new Session({
      send: (event) => this.#connection.send(event),
      describe: () => this.#describe(),
      speak: (order) => this.#speak(order),
    });
  }

  /** Whether the client has no text in work, or the service waits for the client for longer than `yielding`. */
  get isIdle(): boolean {
    if (this.#connection.signal.aborted) return false;
    const waited = Math.max(this.#session.silentFor, this.#connection.stalledFor);
    return waited > this.#timeouts.yielding || !(this.#session.isBusy || this.#session.isReceiving);
  }

  /** Handles events until the client closes its side, and then finishes the texts in work. Never rejects. */
  async serve(): Promise<void> {
    try {
      await this.#read();
    } catch (error) {
      await this.#finished();
      this.#fail(error, { event: 'read' });
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
    const { signal } = this.#connection;
    const report = this.#reporter(order);
    try {
      const call = { caller: this.#dependencies.callerOf(), signal };
      for await (const event of spokenEvents(this.#dependencies, order, call, report.useVoice))
        await this.#connection.send(event);
      report.end('ok');
    } catch (error) {
      if (signal.aborted) report.end('stopped');
      else this.#fail(error, report.end(wyomingFailure(error).code));
    }
  }

  /** Returns the report of a text. Its log entry has the voice that speaks, or that of the request if none could be chosen. */
  #reporter({ voice: { voice, language } }: SpeechOrder) {
    const { log, metrics } = this.#dependencies;
    const start = performance.now();
    let named = { voice: voice?.slice(0, MAX_LOGGED), language: language?.slice(0, MAX_LOGGED) };
    const useVoice = (chosen: ChosenVoice): void => {
      named = { voice: chosen.voice_id, language: chosen.language };
    };
    /** Counts the end of the text, and logs it without a failure. Returns the fields of the log entry. */
    const end = (status: string): object => {
      metrics.request({ frontEnd: 'wyoming', operation: 'synthesize', status });
      const entry = { event: 'synthesize', status, ms: Math.round(performance.now() - start), ...named };
      if (QUIET.includes(status)) log({ level: 'info', protocol: 'wyoming', ...entry });
      return entry;
    };
    return { useVoice, end };
  }

  /**
   * Logs the failure, because some clients only report that there is no audio. Ends the connection with an error event: a client
   * that waits for audio continues only when the connection ends.
   */
  #fail(error: unknown, entry: object): void {
    if (this.#connection.signal.aborted) return;
    const failure = wyomingFailure(error);
    const { code: status, text, isInternal } = failure;
    const reason = isInternal ? errorForLog(error) : text;
    this.#dependencies.log({ level: 'error', protocol: 'wyoming', status, ...entry, reason });
    this.#connection.end(errorEvent(failure));
  }
}

/** UTF-16 code units of a voice or language in the log. */
const MAX_LOGGED = 100;
/** The ends of a text that do not count as a failure. */
const QUIET = ['ok', 'stopped'];
