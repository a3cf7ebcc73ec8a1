import type { Noun, Series } from '../language.js';
import { electronicOf, type Facts, slavicSeries } from '../language-of.js';

/** Slovenian. */
export const facts: Facts = {
  code: 'sl',
  numbers: {
    cardinal,
    year: cardinal,
    ordinal,
    ordinalBefore: slavicSeries,
    pointMarksOrdinals: true,
    equals: 'je enako',
    minus: 'minus',
    plus: 'plus',
    mark: 'vejica',
    to: 'do',
    dot: 'pika',
  },
  units: { by: 'na' },
  money: {
    and: 'in',
    units: { EUR: noun5('evro', 'evra', 'evri', 'evrov') },
    cents: { EUR: noun5('cent', 'centa', 'centi', 'centov') },
  },
  dates: {
    date: ({ year, month, day }) =>
      `${ordinal(day, 'genitive')} ${MONTHS[month - 1]}${year === undefined ? '' : ` ${cardinal(year)}`}`,
    shortDates: true,
    dayMonth: '\\. ',
  },
  electronic: electronicOf('afna|pika|vezaj|podčrtaj|poševnica|dvopičje'),
  signs: {
    and: 'in',
    hashtag: 'ključnik',
    times: 'krat',
    divided: 'deljeno',
    plusMinus: 'plus minus',
    by: 'krat',
    score: 'proti',
  },
};

const MONTHS =
  'januarja februarja marca aprila maja junija julija avgusta septembra oktobra novembra decembra'.split(' ');

function noun5(one: string, two: string, few: string, other: string): Noun {
  return { one, two, few, other, series: 'masculine' };
}

const ORDINALS = ' prvi drugi tretji četrti peti šesti sedmi osmi deveti deseti'.split(' ');
const ENDINGS: Readonly<Record<string, string>> = {
  masculine: 'i',
  feminine: 'a',
  neuter: 'o',
  genitive: 'ega',
};

/** CLDR has no ordinals of Slovenian. Up to 99, those above ten are the number with an ending. */
function ordinal(value: number, form = 'masculine'): string | undefined {
  if (value < 1 || value > 100) return undefined;
  const stem = value <= 10 ? (ORDINALS[value] ?? '').slice(0, -1) : value === 100 ? 'stot' : cardinal(value);
  const ending = ENDINGS[form] ?? 'i';
  return `${stem}${stem === 'tretj' && ending === 'o' ? 'e' : ending}`;
}

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
