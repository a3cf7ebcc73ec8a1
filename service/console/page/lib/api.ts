/** Requests to the service, with a local session or an API key. */
import { fieldsOf, textOf } from '@herald-speech/browser';
import { text } from './text.js';

const STORED_KEY = 'herald-key';
const STORED_SESSION = 'herald-session';
/** Milliseconds until a request fails. */
const TIMEOUT = 120_000;

/** An error reply, with the message of the service. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

export interface ApiCallOptions {
  /** A form, a file, or an object to send as JSON. */
  body?: FormData | object;
  signal?: AbortSignal;
}

interface Access {
  kind: 'session' | 'key';
  headers: Readonly<Record<string, string>>;
}

export class Api {
  #access: Access | undefined;

  /** @param onLocked called when the service rejects the session or the key */
  constructor(private readonly onLocked: (message: string) => void) {}

  get access(): Access['kind'] | undefined {
    return this.#access?.kind;
  }

  /**
   * Opens a session with the one-time token of a link, and stores it until the tab closes.
   * @throws ApiError for a wrong, used or expired token
   */
  async openSession(token: string): Promise<void> {
    const headers = { 'x-herald-token': token };
    const reply = await fetch('/console/session', { ...fetchDefaults(), method: 'POST', headers });
    if (!reply.ok) throw new ApiError(reply.status, await messageOf(reply));
    sessionStorage.removeItem(STORED_KEY);
    this.#useSession(textOf(fieldsOf(await reply.json())['token']));
  }

  /** Uses a key, and stores it until the tab closes. */
  useKey(key: string): void {
    sessionStorage.setItem(STORED_KEY, key);
    this.#access = { kind: 'key', headers: { 'x-sup-api-key': key } };
  }

  /** Uses the stored key, otherwise the stored session. Returns false if the tab has neither. */
  useStored(): boolean {
    const [key, session] = [STORED_KEY, STORED_SESSION].map((name) => sessionStorage.getItem(name));
    if (key) this.useKey(key);
    else if (session) this.#useSession(session);
    return Boolean(key || session);
  }

  /** Deletes the key or, without a key, the session. */
  leave(): void {
    sessionStorage.removeItem(this.access === 'session' ? STORED_SESSION : STORED_KEY);
    this.#access = undefined;
  }

  #useSession(token: string): void {
    sessionStorage.setItem(STORED_SESSION, token);
    this.#access = { kind: 'session', headers: { 'x-herald-session': token } };
  }

  /** Sends a request and returns the JSON of the reply. @throws ApiError, or Error without a reply */
  async json(method: string, path: string, options: ApiCallOptions = {}): Promise<unknown> {
    const reply = await this.send(method, path, options);
    return reply.status === 204 ? undefined : reply.json();
  }

  /** Sends a request and returns the reply. @throws ApiError, or Error without a reply */
  async send(method: string, path: string, options: ApiCallOptions = {}): Promise<Response> {
    const access = this.#access;
    const reply = await this.#exchange(method, path, options);
    if (reply.ok) return reply;
    const isSession = access?.kind === 'session' && reply.status === 401;
    const error = new ApiError(reply.status, isSession ? text('session-ended') : await messageOf(reply));
    // A late reply to an earlier key says nothing about the key that the user has entered since. A request without access, such
    // as a delayed prediction, must not replace the reason why the session ended.
    if (reply.status === 401 && access !== undefined && access === this.#access) this.onLocked(error.message);
    throw error;
  }

  async #exchange(method: string, path: string, { body, signal }: ApiCallOptions): Promise<Response> {
    const isRaw = body instanceof FormData || body instanceof Blob;
    const headers = {
      ...this.#access?.headers,
      ...(body && !isRaw && { 'content-type': 'application/json' }),
    };
    const init = {
      ...fetchDefaults(signal),
      method,
      headers,
      ...(body && { body: isRaw ? body : JSON.stringify(body) }),
    };
    try {
      return await fetch(path, init);
    } catch (error) {
      if (signal?.aborted === true) throw error;
      throw new Error(text('no-reply'), { cause: error });
    }
  }
}

function fetchDefaults(signal?: AbortSignal): RequestInit {
  const timeout = AbortSignal.timeout(TIMEOUT);
  return {
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    cache: 'no-store',
    credentials: 'omit',
    redirect: 'error',
  };
}

/** Returns the message of a plain or named error body (docs/interface.md#error-body). */
async function messageOf(reply: Response): Promise<string> {
  const body: unknown = await reply.json().catch(() => undefined);
  const { message } = fieldsOf(body);
  return (
    textOf(message) ||
    textOf(fieldsOf(message)['message']) ||
    text('status', { status: String(reply.status) })
  );
}
