/** DLNA renderers: television sets, receivers and network speakers. */
import { concurrently } from '../base/concurrently.js';
import type { FoundSpeaker, Kind } from '../kind.js';
import { SpeakerFault, unreachable } from '../fault.js';
import { describeRenderer } from '../upnp/description.js';
import { DlnaDevice } from './device.js';
import { locations } from '../upnp/search.js';

export const dlna: Kind = {
  unit: 1,
  find: (signal) => concurrently((until) => locations('MediaRenderer', until), describe, signal),
  async connect({ address }, signal) {
    const location = address.startsWith('http:') ? address : await locationOf(address, signal);
    return new DlnaDevice(await describeRenderer(location, signal), signal);
  },
};

/** Players of Sonos have a kind of their own. */
async function describe(location: string, signal: AbortSignal): Promise<FoundSpeaker[]> {
  const { name, udn, model, topology } = await describeRenderer(location, signal);
  if (topology !== undefined) return [];
  return [{ name, address: location, ...(udn !== '' && { id: udn }), ...(model !== '' && { model }) }];
}

/** Asks a host for its description. @throws SpeakerFault */
async function locationOf(host: string, signal: AbortSignal): Promise<string> {
  for await (const location of locations('MediaRenderer', signal, host)) return location;
  throw signal.reason instanceof SpeakerFault ? signal.reason : unreachable(signal.reason);
}
