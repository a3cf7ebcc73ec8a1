/** The requests for the test sound: parses the reply of the runtime, and lists them. */
import { countOf, element, flagOf, listWith, shapeOf, textOf } from '@herald-speech/browser';

const requestIn = shapeOf({
  /** The file name of the test sound. */
  name: textOf,
  /** Milliseconds since 1970. */
  startedAt: countOf,
  address: textOf,
  /** '' if the request names no player. */
  device: textOf,
  /** Whether the request came from the computer of Node-RED. */
  isOwn: flagOf,
  /** The base URL of the request if it differs from the one of the test sound, or ''. */
  otherBase: textOf,
  method: textOf,
  /** '' without a range. */
  range: textOf,
  http: textOf,
  status: countOf,
  bytes: countOf,
  state: textOf,
});

export type SoundRequest = ReturnType<typeof requestIn>;

/** Returns the requests of a reply. */
export const requestsIn = listWith(requestIn);

/** Returns the name and the address of the player of a request. */
export const playerText = (request: SoundRequest, node: EditorNode): string =>
  `${nameOf(request, node)} (${placeOf(request, node)})`;

const nameOf = ({ device }: SoundRequest, node: EditorNode): string =>
  device === '' ? node._('reach.unknown-player') : device;

const placeOf = ({ address, isOwn }: SoundRequest, node: EditorNode): string =>
  isOwn ? node._('reach.this-computer') : address;

/** Creates an element with an address. An address of IPv6 may break into lines, because it is long. */
export const addressElement = (name: 'code' | 'span', address: string, text = address): HTMLElement =>
  element(name, { className: address.includes(':') ? '' : 'herald-reach-whole' }, text);

const HEADINGS = [
  'reach.columns.player',
  'reach.columns.request',
  'reach.columns.status',
  'reach.columns.sent',
];

/** Lists the requests, the newest first. */
export function requestTable(requests: readonly SoundRequest[], node: EditorNode): HTMLElement {
  const headings = HEADINGS.map((key) => element('th', { scope: 'col' }, node._(key)));
  const body = element('tbody');
  for (const one of requests) body.prepend(rowOf(one, node));
  const table = element(
    'table',
    { ariaLabel: node._('reach.requests') },
    element('thead', {}, element('tr', {}, ...headings)),
    body,
  );
  const label = { tabIndex: 0, role: 'region', ariaLabel: node._('reach.requests') };
  return element('div', { className: 'herald-scroll herald-reach-scroll', ...label }, table);
}

function rowOf(request: SoundRequest, node: EditorNode): HTMLElement {
  const { method, range, http, status, bytes, state, startedAt } = request;
  const time = new Date(startedAt).toLocaleTimeString(RED.i18n.lang());
  const details = [`HTTP/${http}`, range === '' ? node._('reach.no-range') : range, time].join(', ');
  return element(
    'tr',
    {},
    element(
      'td',
      {},
      `${nameOf(request, node)} `,
      addressElement('span', request.address, `(${placeOf(request, node)})`),
    ),
    element('td', {}, method, element('small', {}, ` ${details}`)),
    element('td', {}, String(status)),
    element(
      'td',
      {},
      method === 'HEAD' ? '' : sizeText(bytes),
      element('small', {}, ` ${stateText(state, node)}`),
    ),
  );
}

function sizeText(bytes: number): string {
  const isSmall = bytes < 1000;
  return (isSmall ? bytes : bytes / 1000).toLocaleString(RED.i18n.lang(), {
    style: 'unit',
    unit: isSmall ? 'byte' : 'kilobyte',
    maximumFractionDigits: 0,
  });
}

const STATES: Readonly<Record<string, string>> = {
  running: 'reach.states.running',
  complete: 'reach.states.complete',
  'ended-early': 'reach.states.ended-early',
};

function stateText(state: string, node: EditorNode): string {
  const key = STATES[state];
  return key === undefined ? state : node._(key);
}
