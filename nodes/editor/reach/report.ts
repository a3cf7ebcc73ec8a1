/** The reach of Node-RED: parses the reply of the runtime, and answers the question in one sentence. */
import { countOf, type Fields, flagOf, listWith, shapeOf, textOf } from '@herald-speech/browser';

const addressIn = shapeOf({
  address: textOf,
  network: textOf,
  interface: textOf,
  kind: textOf,
  /** '' if players cannot use the address. */
  url: textOf,
  isUsed: flagOf,
});

const fieldsIn = shapeOf({
  url: textOf,
  /** A problem is certain if the base URL cannot work from another device. */
  problems: listWith(shapeOf({ text: textOf, isCertain: flagOf })),
  addresses: listWith(addressIn),
  /** An audio port that speakers would reach; the host is '' for all interfaces. */
  offer: offerIn,
});

export type Address = ReturnType<typeof addressIn>;
/** The reply of the endpoint `reach/addresses`. */
export type Report = ReturnType<typeof fieldsIn>;
export type Offer = NonNullable<Report['offer']>;

export function reportIn(reply: Fields): Report {
  const report = fieldsIn(reply);
  return { ...report, addresses: [...pageAddress(report, reply), ...report.addresses] };
}

function offerIn(value: unknown) {
  const offer = shapeOf({ port: countOf, host: textOf, addresses: listWith(textOf) })(value);
  return offer.port === 0 ? undefined : offer;
}

const LOOPBACK = /^(localhost|127\.[\d.]+|\[::1\])$/;

/**
 * Returns the address with which this browser opened the editor, if it is unknown to the computer of Node-RED: in a container,
 * only the browser knows the address of the computer. The address of an add-on belongs to Home Assistant.
 */
function pageAddress({ url: used, addresses }: Pick<Report, 'url' | 'addresses'>, reply: Fields): Address[] {
  const { hostname, origin, pathname } = location;
  const port = textOf(reply['audioPort']);
  const isKnown = addresses.some(({ address }) => [address, `[${address}]`].includes(hostname));
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
