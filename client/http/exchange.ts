import type { Dispatcher } from 'undici';
import { SpeechError } from '../base/errors.js';
import { text } from '../base/messages.js';

/** Bytes of an error reply that the client reads. Its text has at most 300 characters. */
const MAX_ERROR_BYTES = 100_000;

/** A complete reply, or the beginning of a long error reply. */
export interface HttpReply {
  status: number;
  /** Names are in lower case. A repeated header has its last value. */
  headers: Record<string, string>;
  trailers: Record<string, string>;
  body: Buffer;
}

/** The receivers of the outcome. Exactly one of them is called, once. */
interface Settle {
  done: (reply: HttpReply) => void;
  failed: (error: unknown) => void;
}

/** Collects the reply to one dispatched request. A dispatched handler takes half the time of undici's streams. */
export class Exchange implements Dispatcher.DispatchHandler {
  private readonly pieces: Buffer[] = [];
  private bytes = 0;
  private status = 0;
  private headers: Record<string, string> = {};
  private controller: Dispatcher.DispatchController | undefined;
  private failure: Error | undefined;

  constructor(
    private readonly maxBytes: number,
    private readonly settle: Settle,
  ) {}

  /** Rejects at once, even if the dispatcher still waits for a connection. */
  abort(reason: Error): void {
    if (this.failure !== undefined) return;
    this.failure = reason;
    this.controller?.abort(reason);
    this.settle.failed(reason);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.failure !== undefined) controller.abort(this.failure);
  }

  onResponseStart(_controller: unknown, status: number, headers: Headers): void {
    if (status < 200) return; // An informational reply; the final one follows.
    this.status = status;
    this.headers = lastValues(headers);
  }

  onResponseData(_controller: unknown, piece: Buffer): void {
    const isError = this.status >= 300;
    if (this.bytes + piece.length <= (isError ? MAX_ERROR_BYTES : this.maxBytes)) {
      this.bytes += piece.length;
      this.pieces.push(piece);
    } else if (isError) this.endEarly();
    else this.abort(tooLarge(this.maxBytes, this.status));
  }

  onResponseEnd(_controller: unknown, trailers: Headers): void {
    this.done(lastValues(trailers));
  }

  /** The status of an error reply decides, so the rest of its body is not read. */
  private endEarly(): void {
    if (this.failure !== undefined) return;
    this.failure = new Error('the rest of an error reply is not read');
    this.done({});
    this.controller?.abort(this.failure);
  }

  private done(trailers: Record<string, string>): void {
    const { status, headers, pieces, bytes } = this;
    const [only] = pieces;
    const body = only !== undefined && pieces.length === 1 ? only : Buffer.concat(pieces, bytes);
    this.settle.done({ status, headers, trailers, body });
  }

  onResponseError(_controller: unknown, error: Error): void {
    if (this.failure === undefined) this.settle.failed(error);
  }
}

type Headers = Record<string, string | string[] | undefined>;

function lastValues(headers: Headers): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const last = Array.isArray(value) ? value.at(-1) : value;
    if (last !== undefined) values[name.toLowerCase()] = last;
  }
  return values;
}

function tooLarge(maxBytes: number, status: number): SpeechError {
  return new SpeechError('bad-reply', text('reply-large', { limit: maxBytes }), {
    status,
  });
}
