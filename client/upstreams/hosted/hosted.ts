import { baseUrl, usableKey } from '../../base/url-and-key.js';
import { readReply } from '../../http/reply.js';
import { toHttpRequest } from '../../http/request.js';
import { createTransport, type ServiceAddress } from '../../http/transport.js';
import { MAX_TEXT_LENGTH } from '../../interface/limits.js';
import { DEFAULT_MODEL } from '../../interface/models.js';
import type { Attempt, UpstreamConnection, UpstreamKind, UpstreamSetup } from '../upstream.js';

/** The interface of `docs/interface.md`: a hosted service, or the local service. It has every feature. */
export const hosted: UpstreamKind<object> = {
  defaults: {},
  addressOf: ({ url, apiKey }) => ({ url: baseUrl(url), apiKey: usableKey(apiKey) }),
  create: (_options, { url }, setup) => ({
    features: {
      operations: 'all',
      fields: 'all',
      formats: ['wav', 'mp3'],
      maxTextLength: MAX_TEXT_LENGTH,
      defaultModel: DEFAULT_MODEL,
      estimates: false,
    },
    identity: url,
    carries: true,
    open: (address) => openHosted(address, setup),
  }),
};

function openHosted(
  { url, apiKey }: ServiceAddress,
  { settings, network }: UpstreamSetup,
): UpstreamConnection {
  const { maxReplyBytes, maxJsonBytes } = settings;
  const jsonBytes = Math.min(maxReplyBytes, maxJsonBytes);
  const transport = createTransport(url, apiKey, settings, network);
  return {
    async send(operation, request, { stop, mayBeDone, deliver }: Attempt) {
      const http = toHttpRequest(operation, request);
      const maxBytes = operation.reply === 'audio' ? maxReplyBytes : jsonBytes;
      const direct = () => transport.exchange(http, stop, maxBytes);
      const reply = await (deliver === undefined ? direct() : deliver(http, stop.signal, maxBytes, direct));
      return readReply(operation, reply, settings, mayBeDone);
    },
    close: () => transport.close(),
  };
}
