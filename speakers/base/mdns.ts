import { EventEmitter, on } from 'node:events';
import type { FoundSpeaker } from '../kind.js';
import { networks } from './networks.js';
import { fieldOf, listOf, nameIn, numberOf, textOf } from './values.js';

/** Maximum number of speakers and of replies of a search, and of records of a reply. */
const MAX = { found: 64, replies: 2000, records: 200 } as const;
/** Milliseconds until a question is repeated, because UDP can lose it. */
const REPEAT_MS = 1000;

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
 */
export async function* services(type: string, signal: AbortSignal): AsyncGenerator<FoundSpeaker> {
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
    for (const found of speakersIn(packet, from.address, service)) {
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
export function speakersIn(packet: unknown, from: string, service: string): FoundSpeaker[] {
  const records = ['answers', 'additionals'].flatMap((part) => listOf(fieldOf(packet, part)));
  if (records.length > MAX.records || !networks().some((network) => network.includes(from))) return [];
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
    const hosts = find('A', textOf(fieldOf(target, 'target')));
    if (port === 0 || !hosts.some((host) => fieldOf(host, 'data') === from)) return [];
    const address = `${from}:${port}`;
    return [{ name: nameIn(instance.slice(0, -service.length - 1)) || address, address }];
  });
}
