/** Calls of the service, with a session of this machine or with an API key. */
import { fields, text } from './read.js';

const STORED_KEY = 'herald-key';
/** Milliseconds from a request to the end of its reply. */
const TIMEOUT = 120_000;

/** An answer other than success, in the service's own words. */
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
  /** An object goes as JSON. */
  body?: FormData | object;
  signal?: AbortSignal;
}

interface Access {
  kind: 'session' | 'key';
  headers: Readonly<Record<string, string>>;
}

export class Api {
  #access: Access | undefined;

  /** @param onLocked told when neither session nor key opens the service any more */
  constructor(private readonly onLocked: (message: string) => void) {}

  get access(): Access['kind'] | undefined {
    return this.#access?.kind;
  }

  /** Gets a session, which only a browser on the service's machine does. */
  async openSession(): Promise<boolean> {
    const reply = await fetch('/console/session', {
      ...usual(),
      method: 'POST',
      headers: { 'x-herald-console': '1' },
    });
    if (!reply.ok) return false;
    const token = text(fields(await reply.json())['token']);
    this.#access = { kind: 'session', headers: { 'x-herald-session': token } };
    return true;
  }

  /** Goes on with a key, which this tab keeps until it closes. */
  useKey(key: string): void {
    sessionStorage.setItem(STORED_KEY, key);
    this.#access = { kind: 'key', headers: { 'x-sup-api-key': key } };
  }

  /** Goes on with the key that this tab has kept, if any. */
  useStoredKey(): boolean {
    const key = sessionStorage.getItem(STORED_KEY);
    if (key !== null) this.useKey(key);
    return key !== null;
  }

  /** Forgets session and key. */
  leave(): void {
    sessionStorage.removeItem(STORED_KEY);
    this.#access = undefined;
  }

  /** @throws ApiError; Error when there is no reply */
  async json(method: string, path: string, options: CallOptions = {}): Promise<unknown> {
    const reply = await this.send(method, path, options);
    return reply.status === 204 ? undefined : reply.json();
  }

  /** @throws ApiError; Error when there is no reply */
  async send(method: string, path: string, options: CallOptions = {}): Promise<Response> {
    let reply = await this.#exchange(method, path, options);
    // A session ends with its time, and with the service: this machine just gets another.
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
      ...usual(signal),
      method,
      headers,
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    };
    try {
      return await fetch(path, init);
    } catch (error) {
      if (signal?.aborted === true) throw error;
      throw new Error('The service did not answer. Is it running?', { cause: error });
    }
  }
}

function usual(signal?: AbortSignal): RequestInit {
  const late = AbortSignal.timeout(TIMEOUT);
  return {
    signal: signal ? AbortSignal.any([signal, late]) : late,
    cache: 'no-store',
    credentials: 'omit',
    redirect: 'error',
  };
}

/** The words of an error body, in either of its shapes (docs/interface.md#error-body). */
async function messageOf(reply: Response): Promise<string> {
  const body: unknown = await reply.json().catch(() => undefined);
  const { message } = fields(body);
  return text(message) || text(fields(message)['message']) || `The service answered ${reply.status}.`;
}
