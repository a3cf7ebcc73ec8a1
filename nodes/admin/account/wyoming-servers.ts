import { lazy, limitedTo } from '@herald-speech/client';
import type { NodeAPI } from 'node-red';
import { refuseForeign } from '../endpoint/endpoint.js';

/** Milliseconds of a search. A server answers within a second. */
const SEARCH_MS = 3000;
/** Maximum number of servers of a reply. */
const MAX_SERVERS = 50;

/** A Wyoming server of the network. */
interface FoundServer {
  name: string;
  /** `tcp://HOST:PORT`. */
  address: string;
}

interface Zeroconf {
  /** Yields each server once, with its address as `HOST:PORT`, until the signal aborts. */
  wyomingServers(signal: AbortSignal): AsyncIterable<FoundServer>;
}

/** Loaded with the first search. */
const zeroconf = lazy((): Zeroconf => require('@herald-speech/client/zeroconf'));

/** Serves `GET /herald/wyoming-servers`: `{servers}`, the Wyoming servers that announce themselves in the network. */
export function serveWyomingServers(RED: NodeAPI): void {
  RED.httpAdmin.get(
    '/herald/wyoming-servers',
    refuseForeign,
    RED.auth.needsPermission('herald.read'),
    async (_request, response) => {
      const closed = new AbortController();
      response.once('close', () => closed.abort());
      response.set('Cache-Control', 'no-store');
      response.json({ servers: await foundServers(closed.signal) });
    },
  );
}

/** Returns the servers that answer in time. Without a network, returns none: the user can type an address. */
async function foundServers(closed: AbortSignal): Promise<FoundServer[]> {
  const found = new Map<string, FoundServer>();
  const signal = limitedTo(SEARCH_MS, closed);
  try {
    for await (const { name, address } of zeroconf().wyomingServers(signal)) {
      found.set(address, { name, address: `tcp://${address}` });
      if (found.size === MAX_SERVERS) break;
    }
  } catch {
    // The end of the search, or a network without multicast.
  }
  return [...found.values()];
}
