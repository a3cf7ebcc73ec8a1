/** The description of a UPnP device: its names, and the services that control it. */
import { unreachable } from '../fault.js';
import { request } from '../base/http.js';
import { nameIn } from '../base/values.js';
import { elementsIn, textIn } from '../base/xml.js';

/** Maximum size of a description in bytes. */
const MAX_BYTES = 256_000;
const TYPE = /^urn:schemas-upnp-org:service:(AVTransport|RenderingControl|ZoneGroupTopology):\d+$/;

/** A service of a device: the URL that controls it, and its type with its version. */
export interface DeviceService {
  control: string;
  type: string;
}

/** A renderer that can play a URL. */
export interface Renderer {
  name: string;
  /** The identity of the device; '' for a device without one. */
  udn: string;
  model: string;
  transport: DeviceService;
  /** Volume and mute. Some renderers have no such service. */
  rendering: DeviceService | undefined;
  /** The groups of a Sonos player. No other renderer has such a service. */
  topology: DeviceService | undefined;
}

/** Loads the description of a renderer. @throws SpeakerFault `speaker-unreachable` also for a device that plays no URLs */
export async function describeRenderer(location: string, signal: AbortSignal): Promise<Renderer> {
  const { status, body } = await request(location, { method: 'GET', signal, maxBytes: MAX_BYTES }).catch(
    (error: unknown) => {
      throw unreachable(error);
    },
  );
  const renderer = status === 200 ? rendererIn(body, location) : undefined;
  if (renderer === undefined) throw unreachable(new Error('no DLNA renderer at this address'));
  return renderer;
}

/** Parses a description. Control URLs of other hosts are ignored. */
export function rendererIn(xml: string, location: string): Renderer | undefined {
  const base = textIn(xml, 'URLBase');
  const services = elementsIn(xml, 'service').flatMap((service) =>
    serviceIn(service, URL.canParse(base) ? base : location, location),
  );
  const find = (name: string) => services.find(({ type }) => TYPE.exec(type)?.[1] === name);
  const transport = find('AVTransport');
  if (transport === undefined) return undefined;
  return {
    name: nameIn(textIn(xml, 'friendlyName')) || new URL(location).hostname,
    udn: nameIn(textIn(xml, 'UDN')),
    model: nameIn(textIn(xml, 'modelName')),
    transport,
    rendering: find('RenderingControl'),
    topology: find('ZoneGroupTopology'),
  };
}

function serviceIn(xml: string, base: string, location: string): DeviceService[] {
  const [type, path] = [textIn(xml, 'serviceType'), textIn(xml, 'controlURL')];
  if (path === '' || !URL.canParse(path, base)) return [];
  const { protocol, hostname, href } = new URL(path, base);
  return protocol === 'http:' && hostname === new URL(location).hostname ? [{ control: href, type }] : [];
}
