import path from 'node:path';
import { throwIfAborted, unlessAborted } from '../base/abort.js';
import { type FailureCode, SpeechError, type SpeechErrorDetails } from '../base/errors.js';
import { type Text, text } from '../base/messages.js';
import { Program, startProgram } from '../base/program.js';
import type { HttpReply } from '../http/exchange.js';
import type { NetworkOptions } from '../http/network.js';
import type { HttpRequest } from '../http/request.js';
import type { Deliver } from '../http/transport.js';
import type { TransportOptions } from '../http/transport-options.js';
import { FlightNotes } from './flight-notes.js';

const PROGRAM = path.join(__dirname, `courier-program${path.extname(__filename)}`);

/** Milliseconds without a piece after which the courier ends. The next piece starts it again. */
const IDLE_MS = 10_000;

/** The service and the cache of a courier. */
export interface CourierSetup {
  url: string;
  apiKey: string;
  transport: TransportOptions;
  network: NetworkOptions;
  /** The folder of the cache, and its limit in bytes. */
  folder: string;
  maxBytes: number;
}

/** A request to the courier. After `settled`, the program needs the reply of a piece no more. */
export type ToCourier =
  | { kind: 'setup'; setup: CourierSetup }
  | { kind: 'send'; key: string; request: HttpRequest; maxBytes: number }
  | { kind: 'settled'; key: string };

/** The outcome of a request. */
export type FromCourier = { kind: 'done'; reply: HttpReply } | ({ kind: 'failed' } & PackedError);

/** A SpeechError as plain data. Properties of its cause may not pass between processes. */
export interface PackedError {
  code: FailureCode;
  message: string | Text;
  details: Omit<SpeechErrorDetails, 'cause'>;
  cause: { message: string; code: string | undefined } | undefined;
}

/**
 * A process that sends paid requests for this program. If this program is killed, the courier waits for their replies, stores their
 * audio in the cache, and ends (docs/decisions/0178). Starts at the first request.
 */
export class Courier {
  // With #: inspect() does not show the key.
  readonly #setup: CourierSetup;
  #program: Program<FromCourier> | undefined;
  private readonly notes: FlightNotes;
  /** The pieces that the courier has requested and this program has not yet stored. */
  private readonly noted = new Set<string>();
  /** A courier that ends by itself is not started again. */
  private isLost = false;
  private idle: NodeJS.Timeout | undefined;

  constructor(
    setup: CourierSetup,
    private readonly idleMs = IDLE_MS,
  ) {
    this.#setup = setup;
    this.notes = new FlightNotes(setup.folder);
  }

  /** Returns whether the courier of another program, which may have been killed, requests a piece. */
  isRequested(key: string): Promise<boolean> {
    return this.notes.isRequested(key, this.#program?.pid);
  }

  /** Waits until no other courier requests a piece. @throws SpeechError the signal's reason */
  ended(key: string, signal: AbortSignal): Promise<void> {
    return this.notes.ended(key, this.#program?.pid, signal);
  }

  /** Returns a function that sends the requests of a piece. If the courier cannot start, they are sent directly. */
  deliverer(key: string): Deliver {
    return async (request, signal, maxBytes, direct) => {
      const program = this.isLost ? undefined : (this.#program ??= this.start());
      if (program?.pid === undefined) return direct();
      this.noted.add(key);
      await this.notes.write(key, program.pid);
      throwIfAborted(signal);
      // The courier may have ended meanwhile.
      if (this.isLost || !program.isOpen) return direct();
      const outcome = program.ask({ kind: 'send', key, request, maxBytes } satisfies ToCourier, { signal });
      const reply = await unlessAborted(outcome, signal);
      if (reply.kind === 'failed') throw unpacked(reply);
      return reply.reply;
    };
  }

  /** Ends the care for a piece: its audio is stored, or it has failed. */
  settled(key: string): void {
    if (!this.noted.delete(key)) return;
    void this.notes.remove(key);
    this.#program?.tell({ kind: 'settled', key } satisfies ToCourier);
    clearTimeout(this.idle);
    this.idle = setTimeout(() => this.dismiss(), this.idleMs).unref();
  }

  /** Ends the courier. Its requests must have ended. */
  async close(): Promise<void> {
    this.isLost = true;
    clearTimeout(this.idle);
    await this.#program?.end();
  }

  /** Returns undefined if the system has no memory or no file for another process. */
  private start(): Program<FromCourier> | undefined {
    try {
      return this.started();
    } catch {
      this.isLost = true;
      return undefined;
    }
  }

  private started(): Program<FromCourier> {
    const child = startProgram(PROGRAM, {
      // The courier survives a signal to the process group of this program.
      detached: true,
      // A detached process of Windows opens a console.
      windowsHide: true,
    });
    // The service may have executed the requests of a courier that has ended.
    const lost = () => new SpeechError('no-reply', text('connection-lost'));
    const program = new Program<FromCourier>(child, { kinds: ['done', 'failed'], ended: lost });
    void program.exited.then(() => {
      if (program === this.#program) this.isLost = true;
    });
    program.tell({ kind: 'setup', setup: this.#setup } satisfies ToCourier);
    return program;
  }

  /** Ends an idle courier. */
  private dismiss(): void {
    if (this.noted.size > 0) return;
    void this.#program?.end();
    this.#program = undefined;
  }
}

function unpacked({ code, message, details, cause }: PackedError): SpeechError {
  const copy = cause && Object.assign(new Error(cause.message), { code: cause.code });
  return new SpeechError(code, message, { ...details, cause: copy });
}
