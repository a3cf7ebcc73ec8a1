import { greeting } from '../../../voices/greetings.js';

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

/** Returns different sentences of a language, short and long ones in turn. Equal arguments give equal sentences. */
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
  const span = new Intl.RelativeTimeFormat(language);
  const day = (round: number) => date.format(new Date((19_000 + round * 37) * DAY));
  const spanOf = (round: number) => span.format(round * 3 - 20, pick(SPANS, round));
  return [
    (round) => `${list.format(several(REGIONS, round, 2 + (round % 4)).map(names.region))}.`,
    (round) => `${day(round)}: ${measure(language, round)}, ${measure(language, round + 3)}.`,
    (round) => `${names.region(pick(REGIONS, round * 11 + 5))}?`,
    (round) => `${spanOf(round)}, ${names.currency(pick(CURRENCIES, round))}!`,
    (round) => `${list.format(several(LANGUAGES, round, 3 + (round % 3)).map(names.language))}.`,
    (round) => greeting(language, names.region(pick(REGIONS, round * 7 + 3))),
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

function several(codes: readonly string[], round: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => pick(codes, round * 5 + index));
}

function pick<Item>(items: readonly [Item, ...Item[]] | readonly Item[], index: number): Item {
  const item = items[index % items.length];
  if (item === undefined) throw new RangeError('no items to pick from');
  return item;
}
