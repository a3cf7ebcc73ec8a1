/** HTTP exchanges with a device in the network, with a limit of time and size. */

/** Milliseconds of one exchange. */
const TIMEOUT_MS = 5000;

interface ExchangeOptions {
  method: 'GET' | 'POST';
  headers?: Readonly<Record<string, string>>;
  body?: string;
  signal: AbortSignal;
  /** Maximum size of the reply in bytes. */
  maxBytes: number;
}

/** Sends a request without redirects. @throws Error if the device does not answer in time, or the reply is too large */
export async function request(
  url: string,
  { maxBytes, signal, ...options }: ExchangeOptions,
): Promise<{ status: number; body: string }> {
  const late = new AbortController();
  const stop = () => late.abort();
  const timer = setTimeout(stop, TIMEOUT_MS);
  signal.addEventListener('abort', stop, { once: true });
  try {
    signal.throwIfAborted();
    const reply = await fetch(url, { ...options, redirect: 'error', signal: late.signal });
    return { status: reply.status, body: await bodyOf(reply, maxBytes) };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    late.abort();
  }
}

async function bodyOf({ body }: Response, maxBytes: number): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of body ?? []) {
    bytes += part.length;
    if (bytes > maxBytes) throw new Error(`the reply has more than ${maxBytes} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}
