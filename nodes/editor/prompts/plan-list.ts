/** The table preview of a plan, with a filter by state. Shows one page of rows at a time, so that 1,000 rows stay fast. */
import { element } from '@herald-speech/browser';
import { button, icon } from '../lib/dom.js';
import { numeral } from '../lib/languages.js';
import { stopSound } from '../lib/sound.js';
import { stateName } from './describe.js';
import { planRow, type PlayRow } from './plan-row.js';
import { type Plan, type PlanRow, STATES } from './plan.js';

/** Rows of one page. */
const PAGE = 50;

export interface PlanList {
  part: HTMLElement;
  /** Shows a plan, or hides the list without one. Keeps the filter and the page if the plan still has them. */
  show(plan: Plan | undefined): void;
}

export function createPlanList(node: EditorNode, play: PlayRow): PlanList {
  const elements = elementsFor(node);
  const { part, filter, scroll, previous, next } = elements;
  let plan: Plan | undefined;
  let first = 0;
  const update = (start: number) => {
    stopSound();
    const rows = rowsIn(plan, filter.value);
    first = Math.max(0, Math.min(start, PAGE * Math.floor((rows.length - 1) / PAGE)));
    showPage(rows, first, elements, node, play);
    scroll.scrollTop = 0;
  };
  filter.addEventListener('change', () => update(0));
  previous.addEventListener('click', () => !isOff(previous) && update(first - PAGE));
  next.addEventListener('click', () => !isOff(next) && update(first + PAGE));
  return {
    part,
    show(shown) {
      plan = shown;
      part.hidden = shown === undefined;
      if (shown === undefined) return;
      showCounts(filter, shown, node);
      update(first);
    },
  };
}

interface Elements {
  part: HTMLElement;
  filter: HTMLSelectElement;
  place: HTMLElement;
  previous: HTMLButtonElement;
  next: HTMLButtonElement;
  scroll: HTMLElement;
  body: HTMLElement;
}

function elementsFor(node: EditorNode): Elements {
  const filter = element('select', { ariaLabel: node._('prompts.show') });
  const place = element('span', { role: 'status' });
  const className = 'herald-prompts-page';
  const previous = button({ className, title: node._('prompts.previous') }, icon('chevron-left'));
  const next = button({ className, title: node._('prompts.next') }, icon('chevron-right'));
  const body = element('tbody');
  const table = element('table', {}, headings(node), body);
  const label = { tabIndex: 0, role: 'region', ariaLabel: node._('prompts.rows') };
  const scroll = element('div', { className: 'herald-scroll herald-prompts-scroll', ...label }, table);
  const bar = element('div', { className: 'herald-prompts-bar' }, filter, place, previous, next);
  const part = element('div', { className: 'herald-prompts-list', hidden: true }, bar, scroll);
  return { part, filter, place, previous, next, scroll, body };
}

function headings(node: EditorNode): HTMLElement {
  const heading = (text: string, className = '') =>
    element('th', { scope: 'col' }, element('span', { className }, text));
  return element(
    'thead',
    {},
    element(
      'tr',
      {},
      heading(node._('prompts.columns.play'), 'herald-unseen'),
      heading(node._('prompts.columns.prompt')),
      heading(node._('prompts.columns.state')),
      heading(node._('prompts.columns.seconds')),
    ),
  );
}

const rowsIn = (plan: Plan | undefined, state: string): readonly PlanRow[] => {
  if (plan === undefined) return [];
  if (state === 'gone') return plan.gone;
  return state === 'all' ? plan.rows : plan.rows.filter((row) => row.state === state);
};

/** Writes the number of rows of each state into the filter. States without rows are left out. */
function showCounts(filter: HTMLSelectElement, { count, counts }: Plan, node: EditorNode): void {
  const selected = filter.value;
  const option = (value: (typeof STATES)[number] | 'all', number: number) => {
    const values = { state: stateName(value, node), count: numeral(number) };
    return element('option', { value }, node._('prompts.option', values));
  };
  const found = STATES.filter((state) => counts[state] > 0);
  filter.replaceChildren(option('all', count), ...found.map((state) => option(state, counts[state])));
  filter.value = found.some((state) => state === selected) ? selected : 'all';
}

function showPage(
  rows: readonly PlanRow[],
  first: number,
  { place, previous, next, body }: Elements,
  node: EditorNode,
  play: PlayRow,
): void {
  const page = rows.slice(first, first + PAGE);
  body.replaceChildren(...page.map((row) => planRow(row, node, play)));
  const last = first + page.length;
  const values = { first: numeral(first + 1), last: numeral(last), count: numeral(rows.length) };
  place.textContent = rows.length === 0 ? node._('prompts.empty') : node._('prompts.page', values);
  setOff(previous, first === 0);
  setOff(next, last >= rows.length);
  previous.hidden = next.hidden = rows.length <= PAGE;
}

/** A button at the end of the pages is not disabled, because it would lose the focus. */
const isOff = ({ ariaDisabled }: HTMLButtonElement): boolean => ariaDisabled === 'true';

function setOff(pressed: HTMLButtonElement, off: boolean): void {
  pressed.ariaDisabled = off ? 'true' : null;
}
