/** DLNA renderers: television sets, receivers and network speakers. */
import { concurrently } from '../base/concurrently.js';
import type { FoundSpeaker, Kind } from '../kind.js';
import { SpeakerFault, unreachable } from '../fault.js';
import { describeRenderer } from './description.js';
import { DlnaDevice } from './device.js';
import { locations } from './search.js';

export const dlna: Kind = {
  find: (signal) => concurrently(locations, describe, signal),
  async connect({ address }, signal) {
    const location = address.startsWith('http:') ? address : await locationOf(address, signal);
    return new DlnaDevice(await describeRenderer(location, signal), signal);
  },
};

async function describe(location: string, signal: AbortSignal): Promise<FoundSpeaker[]> {
  const { name, udn, model } = await describeRenderer(location, signal);
  return [{ name, address: location, ...(udn !== '' && { id: udn }), ...(model !== '' && { model }) }];
}

/** Asks a host for its description. @throws SpeakerFault */
async function locationOf(host: string, signal: AbortSignal): Promise<string> {
  for await (const location of locations(signal, host)) return location;
  throw signal.reason instanceof SpeakerFault ? signal.reason : unreachable(signal.reason);
}
