import { greeting } from '../../greetings.js';

/*
 * Sentences in any language from the locale data of Node.js: names of countries, languages and currencies, dates, spans of
 * time and measures. Together they contain most sounds of a language.
 */

const REGIONS =
  'DE FR IT ES GB US JP KR CN IN BR MX CA AU EG ZA UA PL CZ SK HU RO BG GR TR SE NO FI DK NL BE CH AT PT IE IS EE LV LT TH VN PH ID MY NZ AR CL PE KE NG MA GH ET JM CU LU HR SI RS AL GE AM KZ MN NP LK'.split(
    ' ',
  );
const CURRENCIES = 'EUR USD GBP JPY CHF SEK NOK DKK PLN CZK HUF BRL MXN INR KRW TRY'.split(' ');
const LANGUAGES = 'en de fr es it ja ko zh ar hi pt nl sv fi pl cs hu el tr uk vi id'.split(' ');
const UNITS = ['celsius', 'kilometer-per-hour', 'liter', 'kilogram', 'minute', 'percent', 'meter', 'hour'];
const SPANS = ['day', 'week', 'month', 'year', 'hour', 'minute'] as const;
const DAY = 86_400_000;

/**
 * Returns different sentences of a language. Most are short, because many short sentences determine the lengths of the sounds
 * better than few long ones. Equal arguments give equal sentences.
 */
export function calibrationTexts(language: string, count: number): string[] {
  const patterns = patternsOf(language);
  return Array.from({ length: count }, (_, index) => {
    const pattern = patterns[index % patterns.length];
    return pattern?.(Math.floor(index / patterns.length)) ?? '';
  });
}

type Pattern = (round: number) => string;

function patternsOf(language: string): Pattern[] {
  const names = namesIn(language);
  const list = new Intl.ListFormat(language, { type: 'conjunction' });
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeZone: 'UTC' });
  const month = new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' });
  const day = (round: number) => new Date((19_000 + round * 37) * DAY);
  const span = new Intl.RelativeTimeFormat(language);
  const region = (round: number) => names.region(pick(REGIONS, round));
  return [
    (round) => `${region(round * 5)}.`,
    (round) => `${names.currency(pick(CURRENCIES, round))}!`,
    (round) => `${region(round * 5 + 1)}, ${region(round * 5 + 2)}?`,
    (round) =>
      `${span.format(round * 3 - 20, pick(SPANS, round))}: ${names.language(pick(LANGUAGES, round))}.`,
    (round) => `${measure(language, round)}; ${month.format(day(round))}!`,
    (round) => greeting(language, region(round * 7 + 3)),
    (round) => `${region(round * 5 + 3)}?`,
    (round) => `${list.format([round, round + 7].map((place) => names.language(pick(LANGUAGES, place))))}.`,
    (round) => `${date.format(day(round))}, ${measure(language, round + 3)}.`,
    (round) => `${region(round * 5 + 4)} – ${names.currency(pick(CURRENCIES, round + 5))}.`,
  ];
}

function namesIn(language: string) {
  const name = (type: 'region' | 'currency' | 'language') => {
    const names = new Intl.DisplayNames(language, { type });
    return (code: string) => names.of(code) ?? code;
  };
  return { region: name('region'), currency: name('currency'), language: name('language') };
}

function measure(language: string, round: number): string {
  const unit = pick(UNITS, round);
  const value = 1 + ((round * 17) % 90);
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(value);
}

function pick<Item>(items: readonly [Item, ...Item[]] | readonly Item[], index: number): Item {
  const item = items[index % items.length];
  if (item === undefined) throw new RangeError('no items to pick from');
  return item;
}
