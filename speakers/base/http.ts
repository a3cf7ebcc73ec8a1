/** HTTP exchanges with a device in the network, with a limit of time and size. */
import { Bytes } from './bytes.js';

/** Milliseconds of one exchange. */
const TIMEOUT_MS = 5000;

interface ExchangeOptions {
  method: 'GET' | 'POST';
  headers?: Readonly<Record<string, string>>;
  body?: string;
  signal: AbortSignal;
  /** Maximum size of the reply in bytes. */
  maxBytes: number;
  /** Milliseconds; 5 seconds by default. */
  timeout?: number;
}

/** Returns an address such as `192.168.1.7` or `[fe80::1]` with a port if it has none. */
export const withPort = (address: string, port: number): string =>
  /:\d+(?:\/|$)/.test(address) ? address : `${address}:${port}`;

/** Sends a request without redirects. @throws Error if the device does not answer in time, or the reply is too large */
export async function request(
  url: string,
  { maxBytes, signal, timeout = TIMEOUT_MS, ...options }: ExchangeOptions,
): Promise<{ status: number; body: string }> {
  const late = new AbortController();
  const stop = () => late.abort(signal.reason);
  const timer = setTimeout(() => late.abort(new Error(`no reply in ${timeout / 1000} s`)), timeout);
  signal.addEventListener('abort', stop, { once: true });
  try {
    signal.throwIfAborted();
    const reply = await fetch(url, { ...options, redirect: 'error', signal: late.signal });
    return { status: reply.status, body: await bodyOf(reply, maxBytes) };
  } catch (error) {
    throw late.signal.aborted ? late.signal.reason : reasonOf(error);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    late.abort();
  }
}

/** Returns the reason of a failed `fetch`, whose own message is always the same. */
const reasonOf = (error: unknown): unknown =>
  error instanceof TypeError && error.cause instanceof Error ? error.cause : error;

async function bodyOf({ body }: Response, maxBytes: number): Promise<string> {
  const bytes = new Bytes();
  for await (const part of body ?? []) {
    if (bytes.length + part.length > maxBytes) throw new Error(`the reply has more than ${maxBytes} bytes`);
    bytes.add(part);
  }
  return bytes.take();
}
