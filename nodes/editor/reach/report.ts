/** The reach of Node-RED: parses the reply of the runtime, and answers the question in one sentence. */
import { type Fields, fieldsOf, textOf, listOf } from '@herald-speech/browser';

interface Problem {
  text: string;
  /** True if the base URL cannot work from another device. */
  isCertain: boolean;
}

export interface Address {
  address: string;
  network: string;
  interface: string;
  kind: string;
  /** '' if players cannot use the address. */
  url: string;
  isUsed: boolean;
}

/** The reply of the endpoint `reach/addresses`. */
export interface Report {
  url: string;
  problems: readonly Problem[];
  addresses: readonly Address[];
  offer: Offer | undefined;
}

/** An audio port that speakers would reach. */
export interface Offer {
  port: number;
  /** '' for all interfaces. */
  host: string;
  addresses: readonly string[];
}

export function reportIn(reply: Fields): Report {
  const addresses = listOf(reply['addresses']).map(addressIn);
  const url = textOf(reply['url']);
  return {
    url,
    problems: listOf(reply['problems']).map(problemIn),
    addresses: [...pageAddress(addresses, url, reply), ...addresses],
    offer: offerIn(reply['offer']),
  };
}

function offerIn(value: unknown): Offer | undefined {
  const fields = fieldsOf(value);
  if (!('port' in fields)) return undefined;
  const addresses = listOf(fields['addresses']).map(textOf);
  return { port: Number(fields['port']), host: textOf(fields['host']), addresses };
}

function addressIn(value: unknown): Address {
  const fields = fieldsOf(value);
  return {
    address: textOf(fields['address']),
    network: textOf(fields['network']),
    interface: textOf(fields['interface']),
    kind: textOf(fields['kind']),
    url: textOf(fields['url']),
    isUsed: fields['isUsed'] === true,
  };
}

const problemIn = (value: unknown): Problem => ({
  text: textOf(fieldsOf(value)['text']),
  isCertain: fieldsOf(value)['isCertain'] === true,
});

const LOOPBACK = /^(localhost|127\.[\d.]+|\[::1\])$/;

/**
 * Returns the address with which this browser opened the editor, if it is unknown to the computer of Node-RED: in a container,
 * only the browser knows the address of the computer. The address of an add-on belongs to Home Assistant.
 */
function pageAddress(known: readonly Address[], used: string, reply: Fields): Address[] {
  const { hostname, origin, pathname } = location;
  const port = textOf(reply['audioPort']);
  const isKnown = known.some(({ address }) => [address, `[${address}]`].includes(hostname));
  if (isKnown || LOOPBACK.test(hostname) || pathname.includes('/hassio_ingress/')) return [];
  const url = port === '' ? `${origin}${textOf(reply['root'])}` : `http://${hostname}:${port}`;
  const isUsed = URL.canParse(used) && new URL(used).hostname === hostname;
  return [{ address: hostname, network: '', interface: '', kind: 'page', url, isUsed }];
}

/** The answer in one sentence. */
export interface Verdict {
  kind: 'good' | 'perhaps' | 'bad';
  text: string;
}

/** Returns the answer before any request from another device. */
export function verdictOf({ url, problems, addresses }: Report, node: Pick<EditorNode, '_'>): Verdict {
  if (problems.some(({ isCertain }) => isCertain)) return { kind: 'bad', text: node._('reach.no', { url }) };
  if (problems.length > 0) return { kind: 'perhaps', text: node._('reach.perhaps', { url }) };
  const network = addresses.find(({ isUsed, network }) => isUsed && network !== '')?.network;
  if (network === undefined) return { kind: 'perhaps', text: node._('reach.unchecked', { url }) };
  return { kind: 'good', text: node._('reach.yes', { url, network }) };
}
