import { type ChildProcess, fork, type ForkOptions } from 'node:child_process';
import path from 'node:path';
import { onAbort, reasonOf, throwIfAborted } from '../base/abort.js';
import { type FailureCode, SpeechError, type SpeechErrorDetails } from '../base/errors.js';
import { type Text, text } from '../base/messages.js';
import type { HttpReply } from '../http/exchange.js';
import type { NetworkOptions } from '../http/network.js';
import type { HttpRequest } from '../http/request.js';
import type { Deliver } from '../http/transport.js';
import type { TransportOptions } from '../http/transport-options.js';
import { FlightNotes } from './flight-notes.js';

const EXTENSION = path.extname(__filename);
const PROGRAM = path.join(__dirname, `courier-program${EXTENSION}`);

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

/** A message to the courier. `stop` ends the request of a piece. After `settled`, the program needs its reply no more. */
export type ToCourier =
  | { kind: 'setup'; setup: CourierSetup }
  | { kind: 'send'; id: number; key: string; request: HttpRequest; maxBytes: number }
  | { kind: 'stop'; key: string }
  | { kind: 'settled'; key: string };

/** The outcome of a request. */
export type FromCourier = { id: number } & ({ reply: HttpReply } | { failure: PackedError });

/** A SpeechError as plain data. Properties of its cause may not pass between processes. */
export interface PackedError {
  code: FailureCode;
  message: string | Text;
  details: Omit<SpeechErrorDetails, 'cause'>;
  cause: { message: string; code: string | undefined } | undefined;
}

/** A request that the courier sends. */
interface Call {
  resolve(reply: HttpReply): void;
  reject(error: SpeechError): void;
}

/**
 * A process that sends paid requests for this program. If this program is killed, the courier waits for their replies, stores their
 * audio in the cache, and ends (docs/decisions/0178). Starts at the first request.
 */
export class Courier {
  // With #: inspect() does not show the key.
  readonly #setup: CourierSetup;
  #child: ChildProcess | undefined;
  private readonly notes: FlightNotes;
  private readonly calls = new Map<number, Call>();
  /** The pieces that the courier has requested and this program has not yet stored. */
  private readonly noted = new Set<string>();
  private count = 0;
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
    return this.notes.isRequested(key, this.#child?.pid);
  }

  /** Waits until no other courier requests a piece. @throws SpeechError the signal's reason */
  ended(key: string, signal: AbortSignal): Promise<void> {
    return this.notes.ended(key, this.#child?.pid, signal);
  }

  /** Returns a function that sends the requests of a piece. If the courier cannot start, they are sent directly. */
  deliverer(key: string): Deliver {
    return async (request, signal, maxBytes, direct) => {
      const child = this.isLost ? undefined : (this.#child ??= this.start());
      if (child?.pid === undefined) return direct();
      this.noted.add(key);
      await this.notes.write(key, child.pid);
      throwIfAborted(signal);
      // The courier may have ended meanwhile.
      if (this.isLost || !child.connected) return direct();
      return this.send(child, { key, request, maxBytes }, signal);
    };
  }

  /** Ends the care for a piece: its audio is stored, or it has failed. */
  settled(key: string): void {
    if (!this.noted.delete(key)) return;
    void this.notes.remove(key);
    this.post({ kind: 'settled', key });
    clearTimeout(this.idle);
    this.idle = setTimeout(() => this.dismiss(), this.idleMs).unref();
  }

  /** Ends the courier. Its requests must have ended. */
  async close(): Promise<void> {
    this.isLost = true;
    clearTimeout(this.idle);
    const child = this.#child;
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  }

  private send(
    child: ChildProcess,
    piece: { key: string; request: HttpRequest; maxBytes: number },
    signal: AbortSignal,
  ): Promise<HttpReply> {
    this.count += 1;
    const id = this.count;
    return new Promise<HttpReply>((resolve, reject) => {
      const unlink = onAbort(signal, () => {
        this.post({ kind: 'stop', key: piece.key });
        settle(() => reject(reasonOf(signal)));
      });
      const settle = (end: () => void) => {
        unlink();
        this.calls.delete(id);
        // An idle courier does not keep this program alive.
        if (this.calls.size === 0) child.channel?.unref();
        end();
      };
      this.calls.set(id, {
        resolve: (reply) => settle(() => resolve(reply)),
        reject: (error) => settle(() => reject(error)),
      });
      child.channel?.ref();
      this.post({ kind: 'send', id, ...piece });
    });
  }

  /** Returns undefined if the system has no memory or no file for another process. */
  private start(): ChildProcess | undefined {
    try {
      return this.forked();
    } catch {
      this.isLost = true;
      return undefined;
    }
  }

  private forked(): ChildProcess {
    const options: ForkOptions & { windowsHide: boolean } = {
      // The courier survives a signal to the process group of this program.
      detached: true,
      // A detached process of Windows opens a console. The types of `fork` lack this option of `spawn`.
      windowsHide: true,
      // In development, the child inherits the loader of TypeScript files.
      execArgv: EXTENSION === '.ts' ? process.execArgv : [],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    };
    const child = fork(PROGRAM, [], options);
    child.on('message', (message: FromCourier) => this.receive(message));
    child.once('exit', () => this.lost(child)).on('error', () => this.lost(child));
    child.unref();
    child.channel?.unref();
    child.send({ kind: 'setup', setup: this.#setup } satisfies ToCourier, () => undefined);
    return child;
  }

  private receive(message: FromCourier): void {
    const call = this.calls.get(message.id);
    if ('reply' in message) call?.resolve(message.reply);
    else call?.reject(unpacked(message.failure));
  }

  /** Ends an idle courier. */
  private dismiss(): void {
    if (this.calls.size > 0 || this.noted.size > 0) return;
    const child = this.#child;
    this.#child = undefined;
    if (child?.connected === true) child.disconnect();
  }

  /** The service may have executed the requests of a courier that has ended. */
  private lost(child: ChildProcess): void {
    if (child !== this.#child) return;
    this.isLost = true;
    for (const { reject } of this.calls.values())
      reject(new SpeechError('no-reply', text('connection-lost')));
  }

  private post(message: ToCourier): void {
    if (this.#child?.connected === true) this.#child.send(message, () => undefined);
  }
}

function unpacked({ code, message, details, cause }: PackedError): SpeechError {
  const copy = cause && Object.assign(new Error(cause.message), { code: cause.code });
  return new SpeechError(code, message, { ...details, cause: copy });
}
