import { EventEmitter, on } from 'node:events';
import type { FoundSpeaker } from '../kind.js';
import { networks } from './networks.js';
import { fieldOf, listOf, nameIn, numberOf, textOf } from './values.js';

/** Maximum number of speakers and of replies of a search, and of records of a reply. */
const MAX = { found: 64, replies: 2000, records: 200 } as const;
/** Milliseconds until a question is repeated, because UDP can lose it. */
const REPEAT_MS = 1000;

/** Returns what the TXT record of a service says of a speaker. */
type Described = (record: unknown) => Partial<FoundSpeaker>;

/** The part of `multicast-dns` that a search uses. */
interface MulticastDns {
  on(event: 'response', listener: (packet: unknown, from: { address: string }) => void): void;
  on(event: 'error' | 'warning', listener: () => void): void;
  query(name: string, type: string): void;
  destroy(): void;
}

/**
 * Yields the services of a type in the network (RFC 6763) until the signal aborts. A speaker answers for itself: an answer for
 * another host is ignored, because a search must not lead to a request to a host that a device has chosen.
 * @param type such as `mpd` for `_mpd._tcp`
 * @param described reads the TXT record of a service, such as its identity
 */
export async function* services(
  type: string,
  signal: AbortSignal,
  described: Described = () => ({}),
): AsyncGenerator<FoundSpeaker> {
  const service = `_${type}._tcp.local`;
  const multicastDns: () => MulticastDns = require('multicast-dns');
  const [socket, replies, addresses, end] = [
    multicastDns(),
    new EventEmitter(),
    new Set<string>(),
    new AbortController(),
  ];
  let count = 0;
  // A network without multicast has no speakers.
  socket.on('error', () => undefined);
  socket.on('warning', () => undefined);
  socket.on('response', (packet, from) => {
    count += 1;
    if (count > MAX.replies || addresses.size >= MAX.found) return end.abort();
    for (const found of speakersIn(packet, from.address, service, described)) {
      if (addresses.has(found.address)) continue;
      addresses.add(found.address);
      replies.emit('found', found);
    }
  });
  socket.query(service, 'PTR');
  const timer = setInterval(() => socket.query(service, 'PTR'), REPEAT_MS);
  try {
    for await (const [found] of on(replies, 'found', { signal: AbortSignal.any([signal, end.signal]) }))
      yield found;
  } catch (error) {
    if (!signal.aborted && !end.signal.aborted) throw error;
  } finally {
    clearInterval(timer);
    socket.destroy();
  }
}

/**
 * Returns the speakers in a reply.
 * @param from the address of the sender
 * @param service such as `_mpd._tcp.local`
 */
export function speakersIn(
  packet: unknown,
  from: string,
  service: string,
  described: Described = () => ({}),
): FoundSpeaker[] {
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
