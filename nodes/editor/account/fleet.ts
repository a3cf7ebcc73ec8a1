/** The account's fleet: the programs that share its limits, its cache and its prompts over Redis. */
import { showFieldProblem } from '../lib/field-note.js';
import { hostOf } from './account-values.js';
import { field, foldOf, numberText, prepareNumbers } from './fields.js';
import { validateFleetUrl } from './validate-account.js';

/**
 * Restores the defaults of older accounts, shows the problem of the URL, and the size only if it has an effect. Without the
 * optional package, an account without a URL has no such section.
 */
export function prepareFleet(node: EditorNode): void {
  const fold = foldOf('fleet');
  const url = field('fleetUrl', HTMLInputElement);
  const cache = field('fleetCache', HTMLSelectElement);
  if (RED.settings['heraldAccountFleet'] !== true && url.value.trim() === '') {
    fold.hidden = true;
    delete fold.dataset['services'];
  }
  if (cache.value === '') cache.value = 'redis';
  const validate = (value: string) => validateFleetUrl(node, value);
  showFieldProblem(url, 'herald-fleetUrl-problem', validate);
  const update = prepareNumbers(
    fold,
    () => settings(url.value.trim(), cache, node),
    node,
    () => validate(url.value) !== true,
  );
  const size = field('fleetCacheSize', HTMLInputElement).closest<HTMLElement>('.form-row');
  const show = () => {
    if (size !== null) size.hidden = cache.value !== 'redis';
    update();
  };
  cache.addEventListener('change', show);
  show();
}

function settings(url: string, cache: HTMLSelectElement, node: EditorNode): string[] {
  if (url === '') return [];
  const { value } = cache;
  const size = value === 'redis' ? ` (${numberText('fleetCacheSize')} MB)` : '';
  const isWorker = field('fleetWork', HTMLInputElement).checked;
  return [
    hostOf(url),
    `${node._('fleetCache.label')}: ${node._(`fleetCache.${value}`)}${size}`,
    ...(isWorker ? [node._('fleetWork.label')] : []),
  ];
}
