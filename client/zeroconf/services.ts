import { EventEmitter, on } from 'node:events';
import { onAbort } from '../base/abort.js';
import { lazy } from '../base/lazy.js';
import { fieldOf, listOf, nameIn, numberOf, textOf } from '../base/values.js';
import { networks } from './networks.js';

/** A service that a search has found. */
export interface FoundService {
  /** The name that its device says of itself. */
  readonly name: string;
  /** Address and port, such as `192.168.1.7:6600`. */
  readonly address: string;
}

/** Maximum number of services and of replies of a search, and of records of a reply. */
const MAX = { found: 64, replies: 2000, records: 200 } as const;
/** Milliseconds until a question is repeated, because UDP can lose it. */
const REPEAT_MS = 1000;

/** Reads further facts from the TXT record of a service. */
type Described<Facts> = (record: unknown) => Partial<Facts>;

/** The part of `multicast-dns` that a search uses. */
interface MulticastDns {
  on(event: 'response', listener: (packet: unknown, from: { address: string }) => void): void;
  on(event: 'error' | 'warning', listener: () => void): void;
  query(name: string, type: string): void;
  destroy(): void;
}

/** Loaded with the first search. */
const multicastDns = lazy((): (() => MulticastDns) => require('multicast-dns'));

/**
 * Yields the services of a type in the network (RFC 6763) until the signal aborts. A device answers for itself: an answer for
 * another host is ignored, because a search must not lead to a request to a host that a device has chosen.
 * @param type such as `mpd` for `_mpd._tcp`
 * @param described reads the TXT record of a service, such as its identity
 */
export async function* services<Facts extends object = object>(
  type: string,
  signal: AbortSignal,
  described: Described<Facts> = () => ({}),
): AsyncGenerator<FoundService & Partial<Facts>> {
  const service = `_${type}._tcp.local`;
  const [socket, replies, addresses, end] = [
    multicastDns()(),
    new EventEmitter(),
    new Set<string>(),
    new AbortController(),
  ];
  let count = 0;
  // A network without multicast has no services.
  socket.on('error', () => undefined);
  socket.on('warning', () => undefined);
  socket.on('response', (packet, from) => {
    count += 1;
    if (count > MAX.replies || addresses.size >= MAX.found) return end.abort();
    for (const found of servicesIn(packet, from.address, service, described)) {
      if (addresses.has(found.address)) continue;
      addresses.add(found.address);
      replies.emit('found', found);
    }
  });
  socket.query(service, 'PTR');
  const timer = setInterval(() => socket.query(service, 'PTR'), REPEAT_MS);
  const unlink = onAbort(signal, () => end.abort());
  try {
    for await (const [found] of on(replies, 'found', { signal: end.signal })) yield found;
  } catch (error) {
    if (!end.signal.aborted) throw error;
  } finally {
    unlink();
    clearInterval(timer);
    socket.destroy();
  }
}

/**
 * Returns the services in a reply.
 * @param from the address of the sender
 * @param service such as `_mpd._tcp.local`
 */
export function servicesIn<Facts extends object = object>(
  packet: unknown,
  from: string,
  service: string,
  described: Described<Facts> = () => ({}),
): (FoundService & Partial<Facts>)[] {
  const records = ['answers', 'additionals'].flatMap((part) => listOf(fieldOf(packet, part)));
  const known = networks();
  if (records.length > MAX.records || !known.some((network) => network.includes(from))) return [];
  // A program of this computer may answer from any of its addresses.
  const own = known.map(({ address }) => address);
  const senders = own.includes(from) ? [from, ...own] : [from];
  const find = (type: string, name: string) =>
    records.filter(
      (record) =>
        fieldOf(record, 'type') === type &&
        textOf(fieldOf(record, 'name')).toLowerCase() === name.toLowerCase(),
    );
  return find('PTR', service).flatMap((pointer) => {
    const instance = textOf(fieldOf(pointer, 'data'));
    const target = fieldOf(find('SRV', instance)[0], 'data');
    const port = numberOf(fieldOf(target, 'port'));
    const hosts = find('A', textOf(fieldOf(target, 'target'))).map((host) => fieldOf(host, 'data'));
    const host = senders.find((sender) => hosts.includes(sender));
    if (port === 0 || host === undefined) return [];
    const address = `${host}:${port}`;
    const name = nameIn(instance.slice(0, -service.length - 1)) || address;
    return [{ name, address, ...described(recordIn(fieldOf(find('TXT', instance)[0], 'data'))) }];
  });
}

/** Returns the values of a TXT record by their lower-case names (RFC 6763, section 6.4). */
const recordIn = (data: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(
    listOf(data).flatMap((part) => {
      const [, name, value] = /^([^=]+)=(.*)$/s.exec(String(part)) ?? [];
      return name === undefined || value === undefined ? [] : [[name.toLowerCase(), value]];
    }),
  );
