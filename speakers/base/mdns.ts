import { on } from 'node:events';
import { isIPv4 } from 'node:net';
import type * as bonjourModule from 'bonjour-service';
import type { FoundSpeaker } from '../kind.js';

/** Maximum number of speakers of a search, and of characters of a name. */
const MAX = { found: 64, name: 80 } as const;

/**
 * Yields the services of a type in the network (RFC 6763) until the signal aborts. An answer may name any host: callers must not
 * send a request to it before a user has chosen it.
 * @param type such as `mpd` for `_mpd._tcp`
 * @param described reads the TXT record of a service, such as its identity
 */
export async function* services(
  type: string,
  signal: AbortSignal,
  described: (record: unknown) => Partial<FoundSpeaker> = () => ({}),
): AsyncGenerator<FoundSpeaker> {
  const { Bonjour }: typeof bonjourModule = require('bonjour-service');
  // A network without multicast has no speakers.
  const bonjour = new Bonjour({}, () => undefined);
  const browser = bonjour.find({ type });
  const names = new Set<string>();
  try {
    for await (const [service] of on(browser, 'up', { signal })) {
      const found = speakerIn(service);
      if (found === undefined || names.has(found.address) || names.size >= MAX.found) continue;
      names.add(found.address);
      yield { ...found, ...described(service.txt) };
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    browser.stop();
    bonjour.destroy();
  }
}

function speakerIn({ name, port, addresses = [] }: bonjourModule.Service): FoundSpeaker | undefined {
  const address = addresses.find(isIPv4);
  return address === undefined ? undefined : { name: name.slice(0, MAX.name), address: `${address}:${port}` };
}
