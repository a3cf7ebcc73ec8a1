import type { Stop } from '../base/abort.js';
import { codeOfStatus, SpeechError } from '../base/errors.js';
import type { NetworkOptions } from './network.js';
import { createTransport } from './transport.js';
import type { TransportOptions } from './transport-options.js';
import { text } from '../base/messages.js';

export interface DownloadOptions {
  signal?: AbortSignal | undefined;
  /** Milliseconds for the whole download; default: the client's `totalTimeout`. */
  timeout?: number | undefined;
  /** Bytes of the file; default: the client's `maxReplyBytes`. */
  maxBytes?: number | undefined;
}

/**
 * Downloads a file from an address in a reply of the service, without sending the key. Uses the proxy and the trusted
 * authorities of the service. The client certificate and the server name are for the service only. Follows no redirect,
 * because the service did not name its target.
 * @param service base address of the service
 * @throws SpeechError for an invalid address, a status outside 200 to 299, or a file larger than the limit
 */
export async function download(
  address: string,
  service: string,
  options: TransportOptions,
  network: NetworkOptions,
  stop: Stop,
): Promise<Buffer> {
  const { origin, pathname, search } = webAddress(address);
  const isOfService = origin === new URL(service).origin;
  const transport = createTransport(origin, undefined, options, isOfService ? network : forOthers(network));
  try {
    const request = { method: 'GET', path: pathname + search, headers: {}, body: null } as const;
    const { status, body } = await transport.exchange(request, stop);
    if (status < 200 || status > 299)
      throw new SpeechError(codeOfStatus(status), text('download-status', { status }), { status });
    return body;
  } finally {
    await transport.close();
  }
}

function webAddress(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol)) return url;
  throw new SpeechError('bad-reply', text('download-address'));
}

function forOthers({ tls = {}, ...network }: NetworkOptions): NetworkOptions {
  const { ca, rejectUnauthorized } = tls;
  return { ...network, tls: { ca, rejectUnauthorized } };
}
