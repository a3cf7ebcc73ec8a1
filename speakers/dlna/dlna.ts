/** DLNA renderers: television sets, receivers and network speakers. */
import type { FoundSpeaker, Kind } from '../kind.js';
import { SpeakerFault, unreachable } from '../fault.js';
import { describeRenderer } from '../upnp/description.js';
import { DlnaDevice } from './device.js';
import { locations } from '../upnp/search.js';

export const dlna: Kind = {
  async *find(signal) {
    for await (const location of locations('MediaRenderer', signal)) {
      const found = await describe(location, signal);
      if (found !== undefined) yield found;
    }
  },
  async connect({ address }, signal) {
    const location = address.startsWith('http:') ? address : await locationOf(address, signal);
    return new DlnaDevice(await describeRenderer(location, signal), signal);
  },
};

/** A device that does not answer, or that plays nothing, is no speaker. Players of Sonos have a kind of their own. */
async function describe(location: string, signal: AbortSignal): Promise<FoundSpeaker | undefined> {
  try {
    const { name, udn, model, topology } = await describeRenderer(location, signal);
    if (topology !== undefined) return undefined;
    return { name, address: location, ...(udn !== '' && { id: udn }), ...(model !== '' && { model }) };
  } catch {
    return undefined;
  }
}

/** Asks a host for its description. @throws SpeakerFault */
async function locationOf(host: string, signal: AbortSignal): Promise<string> {
  for await (const location of locations('MediaRenderer', signal, host)) return location;
  throw signal.reason instanceof SpeakerFault ? signal.reason : unreachable(signal.reason);
}
