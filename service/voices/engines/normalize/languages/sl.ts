import type { Series } from '../language.js';
import type { Facts } from '../language-of.js';

/** Slovenian. */
export const slovenian: Facts = {
  code: 'sl',
  numbers: {
    cardinal,
    year: cardinal,
    pointMarksOrdinals: true,
    minus: 'minus',
    plus: 'plus',
    mark: 'vejica',
    to: 'do',
    dot: 'pika',
  },
  units: { by: 'na' },
};

const UNITS =
  'nič ena dva tri štiri pet šest sedem osem devet deset enajst dvanajst trinajst štirinajst petnajst šestnajst sedemnajst osemnajst devetnajst'.split(
    ' ',
  );
const SCALES: ReadonlyArray<readonly [base: number, one: string, other: string]> = [
  [10 ** 12, 'bilijon', 'bilijonov'],
  [10 ** 9, 'milijarda', 'milijard'],
  [10 ** 6, 'milijon', 'milijonov'],
  [1000, 'tisoč', 'tisoč'],
];

/** The number words of CLDR for Slovenian are partly Croatian. */
function cardinal(value: number, series: Series = 'plain'): string {
  const scale = SCALES.find(([base]) => base <= value);
  if (scale !== undefined) {
    const [base, one, other] = scale;
    const [count, rest] = [Math.floor(value / base), value % base];
    return `${count === 1 ? one : `${cardinal(count)} ${other}`}${rest === 0 ? '' : ` ${cardinal(rest, series)}`}`;
  }
  if (value >= 100) {
    const [count, rest] = [Math.floor(value / 100), value % 100];
    const hundreds = `${count === 1 ? '' : count === 2 ? 'dve' : UNITS[count]}sto`;
    return rest === 0 ? hundreds : `${hundreds} ${cardinal(rest, series)}`;
  }
  if (value >= 20) {
    const [tens, rest] = [Math.floor(value / 10), value % 10];
    return `${rest === 0 ? '' : `${UNITS[rest]}in`}${tens === 2 ? 'dvaj' : UNITS[tens]}${tens === 2 ? 'set' : 'deset'}`;
  }
  if (value === 1 && series === 'masculine') return 'en';
  return value === 2 && (series === 'feminine' || series === 'neuter') ? 'dve' : (UNITS[value] ?? '');
}
