/** Finds a renderer by the host that a user has entered. */
import { lookup } from 'node:dns/promises';
import { limitedTo } from '@herald-speech/client/abort';
import { SpeakerFault } from '../fault.js';
import { describeRenderer, type Renderer } from '../upnp/description.js';
import { locations } from '../upnp/search.js';

/** Milliseconds of the search, and of one description at a known URL. */
const [SEARCH_MS, PROBE_MS] = [2500, 1500];
/** Ports and paths at which renderers have their description, for hosts that answer no search. */
const KNOWN: readonly [port: number, path: string][] = [
  // Players with libupnp, such as upmpdcli and streamers with Linkplay.
  [49_152, '/description.xml'],
  [49_153, '/description.xml'],
  [49_494, '/description.xml'],
  [9197, '/dmr'],
  [52_323, '/dmr.xml'],
  [55_000, '/dmr/ddd.xml'],
  [49_154, '/MediaRenderer/desc.xml'],
  [8080, '/MediaRenderer/desc.xml'],
  [8080, '/description.xml'],
  [60_006, '/upnp/desc/aios_device/aios_device.xml'],
];

/**
 * Returns the description of the renderer at a host, with a port if the user knows it. Asks the host and its network, and tries
 * known URLs meanwhile: some renderers answer no search, and a search passes no router.
 * @throws SpeakerFault `speaker-no-renderer`; the reason of the signal
 */
export async function rendererAt(address: string, signal: AbortSignal): Promise<Renderer> {
  const end = new AbortController();
  const limit = limitedTo(SEARCH_MS, signal, end.signal);
  try {
    const { hostname, port } = new URL(`http://${address}`);
    const { address: host } = await lookup(hostname, { family: 4 });
    return await Promise.any([
      searched(host, limit),
      ...[...urlsOf(host, port)].map((url) => described(url, limit)),
    ]);
  } catch (error) {
    signal.throwIfAborted();
    throw new SpeakerFault('speaker-no-renderer', { problem: address }, { cause: error });
  } finally {
    end.abort();
  }
}

/** Returns the known URLs, at one port or at all. */
const urlsOf = (host: string, port: string): Set<string> =>
  new Set(KNOWN.map(([known, path]) => `http://${host}:${port || known}${path}`));

const described = (url: string, signal: AbortSignal): Promise<Renderer> =>
  describeRenderer(url, limitedTo(PROBE_MS, signal));

async function searched(host: string, signal: AbortSignal): Promise<Renderer> {
  for await (const location of locations('MediaRenderer', signal, host)) {
    const renderer = await described(location, signal).catch(() => undefined);
    if (renderer !== undefined) return renderer;
  }
  throw new Error('no answer to the search');
}
