/** Finds services of the network by zeroconf (RFC 6762, RFC 6763). Loads `multicast-dns` for a search only. */
import { type FoundService, services } from './services.js';

export { type Network, networks } from './networks.js';
export { type FoundService, services, servicesIn } from './services.js';

/**
 * Yields the Wyoming servers of the network until the signal aborts, each address once. An address suits the option `url` of a
 * client of the kind `wyoming`.
 */
export const wyomingServers = (signal: AbortSignal): AsyncGenerator<FoundService> =>
  services('wyoming', signal);
