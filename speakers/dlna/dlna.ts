/** DLNA renderers: television sets, receivers and network speakers. */
import type { FoundSpeaker, Kind } from '../kind.js';
import { SpeakerFault, unreachable } from '../fault.js';
import { describeRenderer } from './description.js';
import { DlnaDevice } from './device.js';
import { locations } from './search.js';

export const dlna: Kind = {
  async *find(signal) {
    for await (const location of locations(signal)) {
      const found = await describe(location, signal);
      if (found !== undefined) yield found;
    }
  },
  async connect({ address }, signal) {
    const location = address.startsWith('http:') ? address : await locationOf(address, signal);
    return new DlnaDevice(await describeRenderer(location, signal), signal);
  },
};

/** A device that does not answer, or that plays nothing, is no speaker. */
async function describe(location: string, signal: AbortSignal): Promise<FoundSpeaker | undefined> {
  try {
    const { name, udn, model } = await describeRenderer(location, signal);
    return { name, address: location, ...(udn !== '' && { id: udn }), ...(model !== '' && { model }) };
  } catch {
    return undefined;
  }
}

/** Asks a host for its description. @throws SpeakerFault */
async function locationOf(host: string, signal: AbortSignal): Promise<string> {
  for await (const location of locations(signal, host)) return location;
  throw signal.reason instanceof SpeakerFault ? signal.reason : unreachable(signal.reason);
}
