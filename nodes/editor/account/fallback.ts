/** The account's fallback: another account or the local service speaks if the account cannot. */
import { element, textOf } from '@herald-speech/browser';
import { field, foldOf, numberText, prepareNumbers } from './fields.js';

/** Precedes the id of an account: Node-RED stops all flows if a plain id makes a circle. */
const PREFIX = 'account:';

/**
 * Fills the list of fallbacks, and again when the service changes.
 * @param labelOf returns the label of an account
 */
export function prepareFallback(node: EditorNode, labelOf: (account: EditorNode) => string): void {
  const fold = foldOf('fallback');
  const list = field('fallback', HTMLSelectElement);
  const service = field('service', HTMLSelectElement);
  // An account that was saved before this property has no fallback.
  const saved = node['fallback'] === undefined ? 'none' : textOf(node['fallback']);
  const after = field('fallbackAfter', HTMLInputElement).closest<HTMLElement>('.form-row');
  const fill = (chosen: string) => {
    const options = fallbacksOf(node, { isLocal: service.value === 'local', chosen }, labelOf);
    const isOffered = (value: string) => options.some(([offered]) => offered === value);
    if (!isOffered(chosen) && chosen.startsWith(PREFIX)) options.push([chosen, node._('fallback.missing')]);
    list.replaceChildren(...options.map(([value, label]) => element('option', { value }, label)));
    list.value = isOffered(chosen) ? chosen : 'none';
  };
  let wanted = saved;
  fill(wanted);
  const update = prepareNumbers(fold, () => settings(list, node), node);
  const show = () => {
    if (after !== null) after.hidden = !hasFallback(list);
    update();
  };
  list.addEventListener('change', () => {
    wanted = list.value;
    show();
  });
  service.addEventListener('change', () => {
    fill(wanted);
    show();
  });
  show();
}

/** Whether the list of fallbacks selects one that can speak. */
export const hasFallback = (list: HTMLSelectElement): boolean =>
  list.value !== 'none' && !(list.value === 'local' && field('service', HTMLSelectElement).value === 'local');

function settings(list: HTMLSelectElement, node: EditorNode): string[] {
  const isRemote = field('service', HTMLSelectElement).value !== 'local';
  const label = list.selectedOptions[0]?.textContent ?? '';
  if (!hasFallback(list)) return isRemote ? [label] : [];
  if (list.value === 'local' && field('fallbackAfter', HTMLInputElement).value.trim() === '') return [];
  return [node._('fallback.summary', { account: label, value: numberText('fallbackAfter') })];
}

/**
 * Returns the values and labels of the list: no fallback, the local service, and each other account. The local service is no
 * fallback for itself: then its value stays as "None", so that a change to a remote service suggests it again. Its label
 * differs from an account of the same name.
 */
function fallbacksOf(
  node: EditorNode,
  { isLocal, chosen }: { isLocal: boolean; chosen: string },
  labelOf: (account: EditorNode) => string,
): [value: string, label: string][] {
  const accounts: [string, string][] = [];
  RED.nodes.eachConfig(({ id, type }) => {
    const account = type === 'herald-account' && id !== node.id ? RED.nodes.node(id) : undefined;
    if (account) accounts.push([PREFIX + id, labelOf(account)]);
  });
  const name = node._('service.local');
  const local = accounts.some(([, label]) => label === name) ? node._('fallback.local') : name;
  return [
    [isLocal && chosen === 'local' ? 'local' : 'none', node._('fallback.none')],
    ...(isLocal ? [] : [['local', local] satisfies [string, string]]),
    ...accounts,
  ];
}
