/**
 * Numbered calls between processes and threads (docs/decisions/0198). A request and its replies have the same `id`. A call gets
 * any number of replies `part`, and then one of another kind. The request `cancel` asks the other side to end a call.
 */
import type { ChildProcess } from 'node:child_process';
import type { MessagePort, Transferable, Worker } from 'node:worker_threads';
import { fieldOf } from './values.js';

/** A reply. Its `kind` is `part`, or any other kind for the last one. */
export interface Message {
  kind: string;
}

type Part<Reply> = Extract<Reply, { kind: 'part' }>;
type Last<Reply> = Exclude<Reply, { kind: 'part' }>;

/** What calls need to know of the other side. */
export interface Terms<Reply extends Message> {
  /** The kinds of its replies. */
  kinds: ReadonlyArray<Reply['kind']>;
  /** Checks more than the kind of a reply. @throws the error of its call */
  check?(reply: Reply): void;
  /** Returns the error of a call without a last reply. @param how such as `SIGKILL` or `exit code 1` */
  ended(how: string, cause?: unknown): Error;
  /** Returns the error of a call after its time limit. */
  late?(): Error;
}

interface CallOptions<Reply> {
  /** Cancels the call. It lasts until the other side replies, and gets no further parts. */
  signal?: AbortSignal | undefined;
  /** Milliseconds. */
  timeLimit?: number;
  onPart?(part: Part<Reply>): void;
  /** Memory of the request that the other side takes. */
  transfer?: readonly Transferable[];
}

interface Call<Reply> extends CallOptions<Reply> {
  resolve(reply: Last<Reply>): void;
  reject(error: unknown): void;
}

/** Calls to another process or thread, several at a time. Without a call, the other side does not keep this program alive. */
export class Calls<Reply extends Message> {
  readonly #peer: ChildProcess | Worker | MessagePort;
  readonly #terms: Terms<Reply>;
  readonly #calls = new Map<unknown, Call<Reply>>();
  #count = 0;
  #end: Error | undefined;

  constructor(peer: ChildProcess | Worker | MessagePort, terms: Terms<Reply>) {
    this.#peer = peer;
    this.#terms = terms;
    const events: Events = peer;
    events.on('message', (message) => this.#receive(message));
    events.on('error', (cause) => this.#fail('an error', cause));
    events.on('exit', (code, signal) =>
      this.#fail(typeof signal === 'string' ? signal : `exit code ${String(code)}`),
    );
    events.on('close', () => this.#fail('its channel'));
    hold(peer, false);
  }

  /** Whether the other side takes calls: it has not ended, and has answered in time. */
  get isOpen(): boolean {
    return this.#end === undefined && !('connected' in this.#peer && !this.#peer.connected);
  }

  /**
   * Resolves with the last reply to a request.
   * @throws the reason of a signal that was aborted before. Any other error means that the other side takes no more calls: it ended, or
   *   sent an invalid reply, or none within the time limit.
   */
  async ask(request: object, options: CallOptions<Reply> = {}): Promise<Last<Reply>> {
    const { signal, timeLimit, transfer } = options;
    signal?.throwIfAborted();
    if (!this.isOpen) throw this.#end ?? this.#terms.ended('its channel');
    const id = this.tell(request, transfer);
    const cancel = () => post(this.#peer, { kind: 'cancel', id });
    signal?.addEventListener('abort', cancel, { once: true });
    const timer = timeLimit === undefined ? undefined : setTimeout(() => this.#expire(id), timeLimit);
    hold(this.#peer, true);
    try {
      return await new Promise((resolve, reject) => {
        this.#calls.set(id, { ...options, resolve, reject });
      });
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', cancel);
      this.#calls.delete(id);
      hold(this.#peer, this.#calls.size > 0);
    }
  }

  /** Sends a request whose reply does not matter. Returns its number. */
  tell(request: object, transfer?: readonly Transferable[]): number {
    this.#count += 1;
    post(this.#peer, { ...request, id: this.#count }, transfer);
    return this.#count;
  }

  /** Takes no more calls. Calls in work may go on. */
  protected refuse(error: Error): void {
    this.#end ??= error;
  }

  #receive(message: unknown): void {
    const call = this.#calls.get(fieldOf(message, 'id'));
    if (call === undefined) return;
    try {
      const { kinds, check } = this.#terms;
      const reply = checked<Reply>(message, kinds);
      check?.(reply);
      if (isLast(reply)) call.resolve(reply);
      else if (isPart(reply) && call.signal?.aborted !== true) call.onPart?.(reply);
    } catch (error) {
      this.refuse(this.#terms.ended('an invalid reply', error));
      call.reject(error);
    }
  }

  #expire(id: number): void {
    const error = this.#terms.late?.() ?? this.#terms.ended('its time limit');
    this.refuse(error);
    this.#calls.get(id)?.reject(error);
  }

  #fail(how: string, cause?: unknown): void {
    const error = this.#terms.ended(how, cause);
    this.refuse(error);
    for (const { reject } of this.#calls.values()) reject(error);
  }
}

/** @throws TypeError if the kind of a message is none of `kinds` */
function checked<Type extends Message>(message: unknown, kinds: ReadonlyArray<Type['kind']>): Type {
  const isKnown = (value: unknown): value is Type => kinds.some((kind) => kind === fieldOf(value, 'kind'));
  if (isKnown(message)) return message;
  throw new TypeError(`unexpected message: expected the kind ${kinds.join(' or ')}`);
}

const isLast = <Reply extends Message>(reply: Reply): reply is Last<Reply> => reply.kind !== 'part';
const isPart = <Reply extends Message>(reply: Reply): reply is Part<Reply> => reply.kind === 'part';

/** How a process or a thread answers requests. */
export interface Answers<Request extends Message> {
  kinds: ReadonlyArray<Request['kind']>;
  /**
   * Returns the last reply to a request, of the kind `done` without a `kind`.
   * @param signal aborts when the caller cancels the call, or closes its port
   * @param emit sends a part of the reply
   */
  answer(request: Request, signal: AbortSignal, emit: (part: object) => void): object | Promise<object>;
  /** Returns the last reply for an error of `answer`. Its kind is `failed`. */
  failure(error: unknown): object;
}

/**
 * Answers the calls of the process or thread at the other end.
 * @returns a function that cancels all calls
 */
export function answerCalls<Request extends Message>(
  peer: MessagePort | NodeJS.Process,
  { kinds, answer, failure }: Answers<Request>,
): () => void {
  const running = new Map<unknown, AbortController>();
  const replyTo = async (message: unknown, id: unknown, signal: AbortSignal) => {
    try {
      const emit = (part: object) => post(peer, { ...part, kind: 'part', id });
      const reply = await answer(checked<Request>(message, kinds), signal, emit);
      post(peer, { kind: 'done', ...reply, id });
    } catch (error) {
      // Also of a reply that cannot be copied.
      post(peer, { kind: 'failed', ...failure(error), id });
    }
  };
  const serve = async (message: unknown, id: unknown) => {
    const controller = new AbortController();
    running.set(id, controller);
    await replyTo(message, id, controller.signal);
    running.delete(id);
  };
  const cancelAll = () => {
    for (const controller of running.values()) controller.abort();
  };
  const events: Events = peer;
  events.on('message', (message) => {
    const id = fieldOf(message, 'id');
    if (fieldOf(message, 'kind') === 'cancel') running.get(id)?.abort();
    else void serve(message, id);
  });
  events.on('close', cancelAll);
  return cancelAll;
}

interface Events {
  on(event: string, listener: (...values: readonly unknown[]) => void): unknown;
}

/** A message that cannot be sent is lost with the other side, whose end fails its calls. */
function post(
  peer: ChildProcess | Worker | MessagePort | NodeJS.Process,
  message: object,
  transfer: readonly Transferable[] = [],
): void {
  if ('postMessage' in peer) peer.postMessage(message, transfer);
  else if (peer.connected) peer.send?.(message, undefined, undefined, () => undefined);
}

/** @param isHeld whether the other side keeps this program alive */
function hold(peer: ChildProcess | Worker | MessagePort, isHeld: boolean): void {
  const handle = 'postMessage' in peer ? peer : peer.channel;
  if (isHeld) handle?.ref();
  else handle?.unref();
}
