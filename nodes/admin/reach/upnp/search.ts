/** Finds DLNA renderers by SSDP (UPnP Device Architecture 2.0, section 1.3). */
import { createSocket, type Socket } from 'node:dgram';
import { setTimeout as sleep } from 'node:timers/promises';
import { isInNetwork, type NetworkAddress } from '../../../output/urls/addresses.js';

const MULTICAST = '239.255.255.250';
const PORT = 1900;
/** A search passes no router: only devices in the same network are found. */
const TTL = 1;
/** Seconds within which devices reply. */
const MAX_WAIT = 2;

const searchDefaults = {
  /** Milliseconds of the whole search. */
  duration: 3000,
  /** Milliseconds until the search is repeated, because UDP can lose it. */
  repeat: 500,
  /** Maximum size of a reply in bytes. */
  maxBytes: 4096,
  /** Maximum number of renderers. */
  maxFound: 64,
};

const MESSAGE = [
  'M-SEARCH * HTTP/1.1',
  `HOST: ${MULTICAST}:${PORT}`,
  'MAN: "ssdp:discover"',
  `MX: ${MAX_WAIT}`,
  'ST: urn:schemas-upnp-org:device:MediaRenderer:1',
  '\r\n',
].join('\r\n');

/**
 * Searches for renderers in the networks of the given addresses. A network without multicast is skipped.
 * @param addresses IPv4 addresses of this computer, with their networks
 * @returns the URLs of device descriptions, which lead only to the devices that replied
 * @throws the reason of the signal
 */
export async function searchRenderers(
  addresses: readonly Pick<NetworkAddress, 'address' | 'network'>[],
  signal: AbortSignal,
  options = searchDefaults,
): Promise<string[]> {
  const { duration, repeat, maxBytes, maxFound } = options;
  const found = new Set<string>();
  const sockets = addresses.map(({ address, network }) =>
    openSocket(address, (reply, from) => {
      const location = reply.length > maxBytes ? undefined : locationIn(String(reply), from, network);
      if (location !== undefined && found.size < maxFound) found.add(location);
    }),
  );
  try {
    for (const socket of sockets) send(socket);
    await sleep(repeat, undefined, { signal });
    for (const socket of sockets) send(socket);
    await sleep(duration - repeat, undefined, { signal });
    return [...found];
  } finally {
    for (const { socket } of sockets) socket.close();
  }
}

interface Search {
  socket: Socket;
  ready: Promise<boolean>;
}

function openSocket(address: string, onReply: (reply: Buffer, from: string) => void): Search {
  const socket = createSocket('udp4', (reply, { address: from }) => onReply(reply, from));
  const ready = new Promise<boolean>((resolve) => {
    socket.on('error', () => resolve(false));
    socket.bind(0, address, () => resolve(true));
  });
  return { socket, ready };
}

function send({ socket, ready }: Search): void {
  void ready.then((isReady) => {
    if (!isReady) return;
    try {
      socket.setMulticastTTL(TTL);
      socket.setMulticastInterface(socket.address().address);
      socket.send(MESSAGE, PORT, MULTICAST, () => undefined);
    } catch {
      // The interface is gone, or the search has ended.
    }
  });
}

/**
 * Returns the header LOCATION of a reply. A URL of another host than the sender is ignored: it could name any server. So is a
 * sender outside of the network: a device can forge the sender of a UDP packet.
 * @param network in CIDR notation
 */
export function locationIn(reply: string, from: string, network: string): string | undefined {
  if (!isInNetwork(from, network) || !/^HTTP\/1\.1 200/i.test(reply)) return undefined;
  const location = /^location:[ \t]*(\S+)[ \t]*\r?$/im.exec(reply)?.[1] ?? '';
  if (!URL.canParse(location)) return undefined;
  const { protocol, hostname, href } = new URL(location);
  return protocol === 'http:' && hostname === from ? href : undefined;
}
