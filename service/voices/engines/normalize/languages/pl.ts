import type { Facts } from '../language-of.js';

/** Polish. */
export const polish: Facts = {
  code: 'pl',
  numbers: {
    pointMarksOrdinals: true,
    minus: 'minus',
    plus: 'plus',
    mark: 'przecinek',
    to: 'do',
    dot: 'kropka',
  },
  units: { by: 'na' },
  money: {
    and: 'i',
    units: { PLN: { one: 'złoty', few: 'złote', many: 'złotych', other: 'złotego', series: 'masculine' } },
    cents: { PLN: { one: 'grosz', few: 'grosze', many: 'groszy', other: 'grosza', series: 'masculine' } },
  },
  phones: { patterns: ['[1-9]\\d{2}[ -]\\d{3}[ -]\\d{3}'] },
};
