/** The addresses of the computer of Node-RED, with a button that makes one of them the base URL. */
import { element } from '@herald-speech/browser';
import { button } from '../lib/dom.js';
import type { Address } from './report.js';
import { addressElement } from './requests.js';

const KINDS: Readonly<Record<string, string>> = {
  lan: 'reach.kinds.lan',
  container: 'reach.kinds.container',
  vpn: 'reach.kinds.vpn',
  'link-local': 'reach.kinds.link-local',
  loopback: 'reach.kinds.loopback',
  page: 'reach.kinds.page',
};

/** @param use is called with the base URL of an address */
export function addressTable(
  addresses: readonly Address[],
  node: EditorNode,
  use: (url: string) => void,
): HTMLElement {
  const headings = ['reach.columns.address', 'reach.columns.network', 'reach.columns.kind'].map((key) =>
    element('th', { scope: 'col' }, node._(key)),
  );
  const last = element(
    'th',
    { scope: 'col' },
    element('span', { className: 'herald-unseen' }, node._('reach.use')),
  );
  const head = element('thead', {}, element('tr', {}, ...headings, last));
  const body = element('tbody', {}, ...addresses.map((one) => rowOf(one, node, use)));
  const ariaLabel = node._('reach.addresses');
  const table = element('table', { ariaLabel }, head, body);
  return element(
    'div',
    { className: 'herald-scroll herald-reach-scroll', tabIndex: 0, role: 'region', ariaLabel },
    table,
  );
}

function rowOf(one: Address, node: EditorNode, use: (url: string) => void): HTMLElement {
  const key = KINDS[one.kind];
  const kind = key === undefined ? one.kind : node._(key);
  return element(
    'tr',
    {},
    element('td', {}, addressElement('code', one.address)),
    element('td', {}, addressElement('span', one.network), element('small', {}, ` ${one.interface}`)),
    element('td', {}, kind),
    element('td', {}, ...action(one, node, use)),
  );
}

function action({ url, isUsed }: Address, node: EditorNode, use: (url: string) => void): HTMLElement[] {
  if (isUsed) return [element('span', { className: 'herald-badge' }, node._('reach.used'))];
  if (url === '') return [];
  const pressed = button({ className: 'red-ui-button-small' }, node._('reach.use'));
  pressed.title = node._('reach.use-title', { url });
  pressed.addEventListener('click', () => use(url));
  return [pressed];
}
