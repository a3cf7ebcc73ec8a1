/** The description of a UPnP device: its name, and the URL that controls its playback. */
import { request } from './http.js';
import { elementsIn, textIn } from './xml.js';

/** Maximum size of a description in bytes. */
const MAX_BYTES = 256_000;
/** Maximum length, in UTF-16 code units, of a name. */
const MAX_NAME = 80;
const AV_TRANSPORT = /^urn:schemas-upnp-org:service:AVTransport:\d+$/;

/** A renderer that can play a URL. */
export interface Renderer {
  name: string;
  /** The IP address of the device. */
  address: string;
  control: string;
  /** The type of the service that controls the playback, with its version. */
  service: string;
}

/**
 * Loads a description.
 * @returns undefined if the device does not answer, or cannot play URLs
 */
export async function describeRenderer(location: string, signal: AbortSignal): Promise<Renderer | undefined> {
  try {
    const { status, body } = await request(location, { method: 'GET', signal, maxBytes: MAX_BYTES });
    return status === 200 ? rendererIn(body, location) : undefined;
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}

/** Parses a description. Control URLs of other hosts are ignored. */
export function rendererIn(xml: string, location: string): Renderer | undefined {
  const services = elementsIn(xml, 'service');
  const service = services.find((one) => AV_TRANSPORT.test(textIn(one, 'serviceType')));
  if (service === undefined) return undefined;
  const { hostname } = new URL(location);
  const base = textIn(xml, 'URLBase');
  const path = textIn(service, 'controlURL');
  const start = URL.canParse(base) ? base : location;
  if (path === '' || !URL.canParse(path, start)) return undefined;
  const control = new URL(path, start);
  if (control.protocol !== 'http:' || control.hostname !== hostname) return undefined;
  const name = textIn(xml, 'friendlyName').slice(0, MAX_NAME) || hostname;
  return { name, address: hostname, control: control.href, service: textIn(service, 'serviceType') };
}
