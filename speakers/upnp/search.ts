/** Finds UPnP devices by SSDP (UPnP Device Architecture 2.0, section 1.3). */
import { createSocket } from 'node:dgram';
import { EventEmitter, on } from 'node:events';
import { type Network, networks } from '@herald-speech/client/zeroconf';

const MULTICAST = '239.255.255.250';
const PORT = 1900;
/** A search passes no router: only devices in the same network are found. */
const TTL = 1;
/** Seconds within which devices reply. */
const MAX_WAIT = 2;
/** Milliseconds until a search is repeated, because UDP can lose it. */
const REPEAT_MS = 1000;
/** Maximum size of a reply in bytes. */
const MAX_BYTES = 4096;
/** Maximum number of devices, and of devices at one address. */
const MAX_FOUND = { all: 64, perHost: 4 } as const;

/** The type of a device, such as `MediaRenderer`. */
export type DeviceType = 'MediaRenderer' | 'ZonePlayer';

const messageTo = (host: string, type: DeviceType): string =>
  [
    'M-SEARCH * HTTP/1.1',
    `HOST: ${host}:${PORT}`,
    'MAN: "ssdp:discover"',
    `MX: ${MAX_WAIT}`,
    `ST: urn:schemas-upnp-org:device:${type}:1`,
    '\r\n',
  ].join('\r\n');

/**
 * Yields the URLs of device descriptions until the signal aborts. They lead only to the devices that replied. A network without
 * multicast is skipped.
 * @param host the only host whose reply counts; undefined accepts all hosts of the networks
 */
export async function* locations(
  type: DeviceType,
  signal: AbortSignal,
  host?: string,
): AsyncGenerator<string> {
  const found = new Set<string>();
  const replies = new EventEmitter();
  const searches = networks().map((network) =>
    search(network, { type, host }, (location) => {
      const { hostname } = new URL(location);
      const same = [...found].filter((other) => new URL(other).hostname === hostname);
      if (found.has(location) || found.size >= MAX_FOUND.all || same.length >= MAX_FOUND.perHost) return;
      found.add(location);
      replies.emit('found', location);
    }),
  );
  try {
    for await (const [location] of on(replies, 'found', { signal })) yield String(location);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    for (const end of searches) end();
  }
}

/** Searches in a network. Returns a function that ends the search. */
function search(
  network: Network,
  { type, host }: { type: DeviceType; host: string | undefined },
  onFound: (location: string) => void,
): () => void {
  const socket = createSocket('udp4', (reply, { address: from }) => {
    const location = reply.length > MAX_BYTES ? undefined : locationIn(String(reply), from, network, host);
    if (location !== undefined) onFound(location);
  });
  let timer: ReturnType<typeof setInterval> | undefined;
  const end = () => {
    clearInterval(timer);
    socket.close();
  };
  // Some devices answer only a question to the host, others only one to the network.
  const asked = host === undefined ? [MULTICAST] : [host, MULTICAST];
  const ask = () => {
    for (const to of asked) socket.send(messageTo(to, type), PORT, to, () => undefined);
  };
  socket.on('error', () => clearInterval(timer));
  socket.bind(0, network.address, () => {
    // The search may have ended meanwhile, or the network has no multicast.
    try {
      socket.setMulticastTTL(TTL);
      socket.setMulticastInterface(network.address);
      ask();
      timer = setInterval(ask, REPEAT_MS);
    } catch {}
  });
  return end;
}

/**
 * Returns the header LOCATION of a reply. A URL of another host than the sender is ignored: it could name any server. So is a
 * sender that was not asked: a device can forge the sender of a UDP packet.
 * @param host the only host that was asked
 */
export function locationIn(reply: string, from: string, network: Network, host?: string): string | undefined {
  const wasAsked = host === undefined ? network.includes(from) : from === host;
  if (!wasAsked || !/^HTTP\/1\.1 200/i.test(reply)) return undefined;
  const location = /^location:[ \t]*(\S+)[ \t]*\r?$/im.exec(reply)?.[1] ?? '';
  if (!URL.canParse(location)) return undefined;
  const { protocol, hostname, href } = new URL(location);
  return protocol === 'http:' && hostname === from ? href : undefined;
}
