/**
 * Sends the requests of another program, which started this process (`courier.ts`). If that program is killed, this process waits for
 * the replies, stores their audio in the cache, and ends.
 */
import process from 'node:process';
import { onAbort, Stop } from '../base/abort.js';
import { answerCalls } from '../base/calls.js';
import { asSpeechError, type SpeechError } from '../base/errors.js';
import type { HttpReply } from '../http/exchange.js';
import { readReply } from '../http/reply.js';
import { createTransport } from '../http/transport.js';
import { createSpeech } from '../interface/operations.js';
import { AudioStore } from './audio-store.js';
import type { CourierSetup, PackedError, ToCourier } from './courier.js';
import { isStorable } from './entry.js';
import { FlightNotes } from './flight-notes.js';

/** Milliseconds after which the process ends, although a service still sends. */
const LAST_MS = 300_000;

/** The requests of one program. */
class Flights {
  /**
   * The last reply to each piece whose audio the other program has not yet stored, by the key of the piece; undefined for a request that
   * failed.
   */
  private readonly flights = new Map<string, Promise<HttpReply | undefined>>();
  private readonly transport: ReturnType<typeof createTransport>;
  private readonly notes: FlightNotes;

  constructor(private readonly setup: CourierSetup) {
    this.transport = createTransport(setup.url, setup.apiKey, setup.transport, setup.network);
    this.notes = new FlightNotes(setup.folder);
    this.notes.keepAlive(() => this.flights.keys());
    void this.notes.tidy();
  }

  /** @throws SpeechError */
  async send(
    { key, request, maxBytes }: ToCourier & { kind: 'send' },
    signal: AbortSignal,
  ): Promise<{ reply: HttpReply }> {
    const stop = new Stop();
    onAbort(signal, () => {
      stop.stop('stopped by the other program');
      this.flights.delete(key);
    });
    const reply = this.transport.exchange(request, stop, maxBytes);
    this.flights.set(
      key,
      reply.catch(() => undefined),
    );
    return { reply: await reply };
  }

  settled(key: string): void {
    this.flights.delete(key);
  }

  /** Stores the audio of all requests, also of those that wait for their reply. */
  async store(): Promise<void> {
    const store = new AudioStore(this.setup.folder, this.setup.maxBytes);
    let last = Promise.resolve();
    const land = async (key: string, reply: Promise<HttpReply | undefined>) => {
      const received = await reply;
      // One after another: the store drops speech while 8 MB wait to be written.
      last = last.then(async () => {
        await this.keep(store, key, received).catch(() => undefined);
        this.flights.delete(key);
        await this.notes.remove(key);
      });
      await last;
    };
    await Promise.all([...this.flights].map(([key, reply]) => land(key, reply)));
    await store.close();
  }

  /** @throws SpeechError if the reply is not speech */
  private async keep(store: AudioStore, key: string, reply: HttpReply | undefined): Promise<void> {
    if (reply === undefined) return;
    const spoken = readReply(createSpeech, reply, this.setup.transport, false);
    if (isStorable(spoken)) await store.put(key, spoken);
  }
}

function packed({ code, message, text, status, retryAfter, service, cause }: SpeechError): PackedError {
  const details = { status, retryAfter, service };
  if (!(cause instanceof Error)) return { code, message: text ?? message, details, cause: undefined };
  const causeCode = 'code' in cause ? String(cause.code) : undefined;
  return { code, message: text ?? message, details, cause: { message: cause.message, code: causeCode } };
}

let flights: Flights | undefined;
answerCalls<ToCourier>(process, {
  kinds: ['setup', 'send', 'settled'],
  answer: (message, signal) => {
    if (message.kind === 'setup') flights = new Flights(message.setup);
    if (message.kind === 'send' && flights !== undefined) return flights.send(message, signal);
    if (message.kind === 'settled') flights?.settled(message.key);
    return {};
  },
  failure: (error) => packed(asSpeechError(error)),
});
process.once('disconnect', () => {
  // A service manager may end all processes of the killed program, for example systemd.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
  setTimeout(() => process.exit(), LAST_MS).unref();
  void flights?.store().finally(() => process.exit());
});
