import { codeOfStatus, SpeechError } from '../errors.js';
import type { NetworkOptions } from './network.js';
import { createWire, type WireOptions } from './transport.js';

export interface DownloadOptions {
  signal?: AbortSignal | undefined;
  /** Milliseconds for all of it; that of every call if not given. */
  timeout?: number | undefined;
  /** Bytes of the file; those of every reply if not given. */
  maxBytes?: number | undefined;
}

/**
 * Fetches a file that the service named: through its proxy and with its trust, but without the key. A client's
 * certificate and the name in the service's own are for the service alone. No redirect is followed: it would lead to
 * where the service did not say.
 * @param service base address of the service
 * @throws SpeechError for what is not there, too large, or no address of the web
 */
export async function download(
  address: string,
  service: string,
  options: WireOptions,
  network: NetworkOptions,
  signal: AbortSignal,
): Promise<Buffer> {
  const { origin, pathname, search } = webAddress(address);
  const isOfService = origin === new URL(service).origin;
  const wire = createWire(origin, undefined, options, isOfService ? network : forOthers(network));
  try {
    const request = { method: 'GET', path: pathname + search, headers: {}, body: null } as const;
    const { status, body } = await wire.exchange(request, signal);
    if (status < 200 || status > 299)
      throw new SpeechError(codeOfStatus(status), `status ${status}`, { status });
    return body;
  } finally {
    await wire.close();
  }
}

function webAddress(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol)) return url;
  throw new SpeechError('bad-reply', 'its address is not one of the web');
}

function forOthers({ tls = {}, ...network }: NetworkOptions): NetworkOptions {
  const { ca, rejectUnauthorized } = tls;
  return { ...network, tls: { ca, rejectUnauthorized } };
}
