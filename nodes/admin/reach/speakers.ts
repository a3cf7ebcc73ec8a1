import { randomUUID } from 'node:crypto';
import { SpeechError } from '@herald-speech/client';
import { type NetworkAddress, networkAddresses } from '../../output/urls/addresses.js';
import { say } from '../../runtime/messages.js';
import type { ServedTestSound } from './sound-tests.js';
import { describeRenderer, type Renderer } from './upnp/description.js';
import { playUrl } from './upnp/play.js';
import { searchRenderers } from './upnp/search.js';

/** A found speaker as the dialog lists it. */
interface ListedSpeaker {
  id: string;
  name: string;
  /** The IP address. */
  address: string;
}

/** The kinds of networks in which speakers are. */
const KINDS: readonly NetworkAddress['kind'][] = ['lan', 'vpn', 'container', 'loopback'];

/** The DLNA speakers of the last search. Only these can be played, so that no request can name another address. */
export class Speakers {
  private found = new Map<string, Renderer>();

  /** @param addresses returns the addresses of this computer whose networks are searched */
  constructor(private readonly addresses: () => readonly NetworkAddress[] = networkAddresses) {}

  /** Searches for a few seconds. @throws the reason of the signal */
  async search(signal: AbortSignal): Promise<ListedSpeaker[]> {
    const own = this.addresses().filter(({ family, kind }) => family === 'IPv4' && KINDS.includes(kind));
    const locations = await searchRenderers(own, signal);
    const described = await Promise.all(locations.map((location) => describeRenderer(location, signal)));
    const renderers = described
      .filter((one) => one !== undefined)
      .sort((one, other) => one.name.localeCompare(other.name));
    this.found = new Map(renderers.map((renderer) => [randomUUID(), renderer]));
    return [...this.found].map(([id, { name, address }]) => ({ id, name, address }));
  }

  /** Plays a test sound. @throws SpeechError `not-found` for an unknown speaker, or as `playUrl` */
  async play(id: string, { url, mime }: ServedTestSound, signal: AbortSignal): Promise<void> {
    const renderer = this.found.get(id);
    if (renderer === undefined) throw new SpeechError('not-found', say('reach-device-gone'));
    await playUrl(renderer, url, mime, signal);
  }
}
