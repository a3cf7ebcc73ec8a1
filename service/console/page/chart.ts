/** A bar chart of days, with a table of the same values. */
import { make } from './dom.js';
import { date, duration } from './format.js';

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
    'aria-label': `Audio of the last ${days.length} days: ${duration(total)}, at most ${duration(most)} per day`,
  });
  svg.append(...days.map((day, index) => barOf(day, index, most)));
  const [first, last] = [days[0], days.at(-1)].map((day) => date(day?.start ?? '', ZONE));
  return make(
    'div',
    { className: 'chart' },
    make(
      'p',
      { className: 'line note' },
      make('span', {}, `At most ${duration(most)} per day`),
      make('span', {}, `${duration(total)} in total`),
    ),
    svg,
    make('p', { className: 'line note' }, make('span', {}, first ?? ''), make('span', {}, last ?? '')),
    make('details', { open }, make('summary', {}, 'Table'), tableOf(days)),
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
  const element = document.createElementNS(SVG, name);
  if (!(element instanceof SVGElement)) throw new Error(`${name} is not an SVG element`);
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value);
  return element;
}

function tableOf(days: readonly Day[]): HTMLTableElement {
  const head = make(
    'tr',
    {},
    make('th', { scope: 'col' }, 'Day (UTC)'),
    make('th', { scope: 'col' }, 'Audio'),
  );
  const rows = days.map(({ start, seconds }) =>
    make('tr', {}, make('th', { scope: 'row' }, date(start, ZONE)), make('td', {}, duration(seconds))),
  );
  return make('table', {}, make('thead', {}, head), make('tbody', {}, ...rows));
}
