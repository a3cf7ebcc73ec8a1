/** A bar chart of days, with a table of the same values. */
import { element } from '@herald-speech/browser';
import { date, duration } from '../lib/format.js';
import { text } from '../lib/text.js';

/** Time zone of usage reports (docs/interface.md#voice-usage). */
const ZONE = 'UTC';

const SVG = 'http://www.w3.org/2000/svg';
/** Width of a bar and height of the chart, in units of the SVG. The page scales the chart. */
const STEP = 10;
const HEIGHT = 100;

export interface Day {
  /** ISO 8601 time. */
  start: string;
  seconds: number;
}

/**
 * Creates a bar chart and a table of days. The longest bar has the height of the chart.
 * @param open whether the table is open
 */
export function dayChart(days: readonly Day[], open: boolean): HTMLElement {
  const total = days.reduce((sum, { seconds }) => sum + seconds, 0);
  const most = Math.max(...days.map(({ seconds }) => seconds));
  const svg = svgElement('svg', {
    viewBox: `0 0 ${days.length * STEP} ${HEIGHT}`,
    preserveAspectRatio: 'none',
    role: 'img',
    'aria-label': text('usage.image', { count: days.length, total: duration(total), most: duration(most) }),
  });
  svg.append(...days.map((day, index) => barOf(day, index, most)));
  const [first, last] = [days[0], days.at(-1)].map((day) => date(day?.start ?? '', ZONE));
  return element(
    'div',
    { className: 'chart' },
    element(
      'p',
      { className: 'line note' },
      element('span', {}, text('usage.most', { duration: duration(most) })),
      element('span', {}, text('usage.total', { duration: duration(total) })),
    ),
    svg,
    element(
      'p',
      { className: 'line note' },
      element('span', {}, first ?? ''),
      element('span', {}, last ?? ''),
    ),
    element('details', { open }, element('summary', {}, text('usage.table')), tableOf(days)),
  );
}

function barOf({ start, seconds }: Day, index: number, most: number): SVGElement {
  const height = most === 0 ? 0 : (seconds / most) * HEIGHT;
  const bar = svgElement('rect', {
    x: String(index * STEP + 1),
    y: String(HEIGHT - height),
    width: String(STEP - 2),
    height: String(height),
  });
  const title = svgElement('title', {});
  title.textContent = `${date(start, ZONE)}: ${duration(seconds)}`;
  bar.append(title);
  return bar;
}

function svgElement(name: string, attributes: Readonly<Record<string, string>>): SVGElement {
  const created = document.createElementNS(SVG, name);
  if (!(created instanceof SVGElement)) throw new Error(`${name} is not an SVG element`);
  for (const [attribute, value] of Object.entries(attributes)) created.setAttribute(attribute, value);
  return created;
}

function tableOf(days: readonly Day[]): HTMLTableElement {
  const head = element(
    'tr',
    {},
    element('th', { scope: 'col' }, text('usage.day')),
    element('th', { scope: 'col' }, text('usage.audio')),
  );
  const rows = days.map(({ start, seconds }) =>
    element(
      'tr',
      {},
      element('th', { scope: 'row' }, date(start, ZONE)),
      element('td', {}, duration(seconds)),
    ),
  );
  return element('table', {}, element('thead', {}, head), element('tbody', {}, ...rows));
}
