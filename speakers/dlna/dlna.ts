/** DLNA renderers: television sets, receivers and network speakers. */
import { concurrently } from '../base/concurrently.js';
import type { FoundSpeaker, Kind } from '../kind.js';
import { describeRenderer } from '../upnp/description.js';
import { DlnaDevice } from './device.js';
import { locations } from '../upnp/search.js';
import { rendererAt } from './locate.js';

export const dlna: Kind = {
  unit: 1,
  find: (signal) => concurrently((until) => locations('MediaRenderer', until), describe, signal),
  async connect({ address }, signal) {
    const isUrl = address.startsWith('http:');
    const renderer = await (isUrl ? describeRenderer(address, signal) : rendererAt(address, signal));
    return new DlnaDevice(renderer, signal);
  },
};

/** Players of Sonos have a kind of their own. */
async function describe(location: string, signal: AbortSignal): Promise<FoundSpeaker[]> {
  const { name, udn, model, topology } = await describeRenderer(location, signal);
  if (topology !== undefined) return [];
  return [{ name, address: location, ...(udn !== '' && { id: udn }), ...(model !== '' && { model }) }];
}
