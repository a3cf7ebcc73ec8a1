/** Requests to the service, with a local session or an API key. */
import { fields, text } from './read.js';

const STORED_KEY = 'herald-key';
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

export interface CallOptions {
  /** A form, or an object to send as JSON. */
  body?: FormData | object;
  signal?: AbortSignal;
}

interface Access {
  kind: 'session' | 'key';
  headers: Readonly<Record<string, string>>;
}

export class Api {
  #access: Access | undefined;

  /** @param onLocked called when the service rejects both session and key */
  constructor(private readonly onLocked: (message: string) => void) {}

  get access(): Access['kind'] | undefined {
    return this.#access?.kind;
  }

  /** Opens a session. Returns false if the service runs on another computer. */
  async openSession(): Promise<boolean> {
    const reply = await fetch('/console/session', {
      ...fetchDefaults(),
      method: 'POST',
      headers: { 'x-herald-console': '1' },
    });
    if (!reply.ok) return false;
    const token = text(fields(await reply.json())['token']);
    this.#access = { kind: 'session', headers: { 'x-herald-session': token } };
    return true;
  }

  /** Uses a key, and stores it until the tab closes. */
  useKey(key: string): void {
    sessionStorage.setItem(STORED_KEY, key);
    this.#access = { kind: 'key', headers: { 'x-sup-api-key': key } };
  }

  /** Uses the stored key. Returns false if the tab has none. */
  useStoredKey(): boolean {
    const key = sessionStorage.getItem(STORED_KEY);
    if (key !== null) this.useKey(key);
    return key !== null;
  }

  /** Deletes session and key. */
  leave(): void {
    sessionStorage.removeItem(STORED_KEY);
    this.#access = undefined;
  }

  /** Sends a request and returns the JSON of the reply. @throws ApiError, or Error without a reply */
  async json(method: string, path: string, options: CallOptions = {}): Promise<unknown> {
    const reply = await this.send(method, path, options);
    return reply.status === 204 ? undefined : reply.json();
  }

  /** Sends a request and returns the reply. @throws ApiError, or Error without a reply */
  async send(method: string, path: string, options: CallOptions = {}): Promise<Response> {
    let reply = await this.#exchange(method, path, options);
    // Sessions expire, and end with the service. A page on the same computer opens a new one.
    if (reply.status === 401 && this.access === 'session' && (await this.openSession())) {
      reply = await this.#exchange(method, path, options);
    }
    if (reply.ok) return reply;
    const error = new ApiError(reply.status, await messageOf(reply));
    if (reply.status === 401) this.onLocked(error.message);
    throw error;
  }

  async #exchange(method: string, path: string, { body, signal }: CallOptions): Promise<Response> {
    const isForm = body instanceof FormData;
    const headers = {
      ...this.#access?.headers,
      ...(body && !isForm && { 'content-type': 'application/json' }),
    };
    const init = {
      ...fetchDefaults(signal),
      method,
      headers,
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    };
    try {
      return await fetch(path, init);
    } catch (error) {
      if (signal?.aborted === true) throw error;
      throw new Error('The service does not reply. Check if it is running.', { cause: error });
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
  const { message } = fields(body);
  return (
    text(message) || text(fields(message)['message']) || `The service replied with status ${reply.status}.`
  );
}
