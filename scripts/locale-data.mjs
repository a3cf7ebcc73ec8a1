/**
 * Writes the tables of the normaliser, `service/voices/engines/normalize/data/LANGUAGE.json`, from the packages of CLDR: names
 * of units, currencies and months, and plural rules. Node.js has them too, but their wording changes with its version, and a
 * build for English only lacks them. Also the facts of regions, and the names of emoji. Usage: node scripts/locale-data.mjs FOLDER,
 * with cldr-core, cldr-units-full, cldr-numbers-full, cldr-dates-full, cldr-annotations-full and cldr-annotations-derived-full of
 * one version installed in FOLDER.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { emojiOf } from './locale/emoji.mjs';
import { regionsOf } from './locale/regions.mjs';

const root = path.resolve(import.meta.dirname, '..');
const output = path.join(root, 'service/voices/engines/normalize/data');
const source = path.resolve(process.argv[2] ?? '.', 'node_modules');

/** CLDR's unit of each symbol. */
const UNITS = {
  km: 'length-kilometer',
  m: 'length-meter',
  dm: 'length-decimeter',
  cm: 'length-centimeter',
  mm: 'length-millimeter',
  µm: 'length-micrometer',
  nm: 'length-nanometer',
  mi: 'length-mile',
  yd: 'length-yard',
  ft: 'length-foot',
  in: 'length-inch',
  'km²': 'area-square-kilometer',
  'm²': 'area-square-meter',
  'cm²': 'area-square-centimeter',
  ha: 'area-hectare',
  ac: 'area-acre',
  'km³': 'volume-cubic-kilometer',
  'm³': 'volume-cubic-meter',
  'cm³': 'volume-cubic-centimeter',
  hl: 'volume-hectoliter',
  l: 'volume-liter',
  dl: 'volume-deciliter',
  cl: 'volume-centiliter',
  ml: 'volume-milliliter',
  gal: 'volume-gallon',
  qt: 'volume-quart',
  pt: 'volume-pint',
  t: 'mass-tonne',
  kg: 'mass-kilogram',
  g: 'mass-gram',
  mg: 'mass-milligram',
  µg: 'mass-microgram',
  lb: 'mass-pound',
  oz: 'mass-ounce',
  st: 'mass-stone',
  yr: 'duration-year',
  month: 'duration-month',
  week: 'duration-week',
  d: 'duration-day',
  h: 'duration-hour',
  min: 'duration-minute',
  s: 'duration-second',
  ms: 'duration-millisecond',
  µs: 'duration-microsecond',
  A: 'electric-ampere',
  mA: 'electric-milliampere',
  Ω: 'electric-ohm',
  V: 'electric-volt',
  kcal: 'energy-kilocalorie',
  cal: 'energy-calorie',
  kJ: 'energy-kilojoule',
  J: 'energy-joule',
  kWh: 'energy-kilowatt-hour',
  N: 'force-newton',
  GHz: 'frequency-gigahertz',
  MHz: 'frequency-megahertz',
  kHz: 'frequency-kilohertz',
  Hz: 'frequency-hertz',
  lx: 'light-lux',
  lm: 'light-lumen',
  GW: 'power-gigawatt',
  MW: 'power-megawatt',
  kW: 'power-kilowatt',
  W: 'power-watt',
  mW: 'power-milliwatt',
  bar: 'pressure-bar',
  mbar: 'pressure-millibar',
  Pa: 'pressure-pascal',
  hPa: 'pressure-hectopascal',
  kPa: 'pressure-kilopascal',
  MPa: 'pressure-megapascal',
  'km/h': 'speed-kilometer-per-hour',
  'm/s': 'speed-meter-per-second',
  mph: 'speed-mile-per-hour',
  '°C': 'temperature-celsius',
  '°F': 'temperature-fahrenheit',
  K: 'temperature-kelvin',
  '°': 'angle-degree',
  '%': 'concentr-percent',
  '‰': 'concentr-permille',
  ppm: 'concentr-part-per-1e6',
  PB: 'digital-petabyte',
  TB: 'digital-terabyte',
  GB: 'digital-gigabyte',
  MB: 'digital-megabyte',
  kB: 'digital-kilobyte',
  Gbit: 'digital-gigabit',
  Mbit: 'digital-megabit',
  kbit: 'digital-kilobit',
};

const CURRENCIES =
  'EUR USD GBP JPY KRW CHF CNY INR RUB UAH PLN CZK HUF RON BGN SEK DKK NOK TRY BRL MXN ARS CLP COP PEN CAD AUD NZD BDT HKD SGD TWD THB IDR VND CRC NIO TTD BOB PYG UYU DOP GTQ HNL AWG ILS AED SAR EGP KWD QAR ZAR NGN'.split(
    ' ',
  );

const COUNTS = ['zero', 'one', 'two', 'few', 'many', 'other'];
const SHARED = path.join(root, 'node_modules/cldr-rbnf/rbnf');

/** @param {string[]} parts */
const read = (...parts) => JSON.parse(readFileSync(path.join(source, ...parts), 'utf8'));

/**
 * A form that follows its number has no sign for the number; another one has `#` in its place. A form that contains the
 * number, such as the Arabic dual, begins with `=`.
 * @param {string} pattern
 */
const shortForm = (pattern) =>
  pattern.includes('{0}') ? pattern.replace(/^\{0\}[ \u00a0]/u, '').replace('{0}', '#') : `=${pattern}`;

/** A name with a sign is no word: such forms are left to the language's file. @param {string} name */
const isSpoken = (name) => !/[%٪²³/().]/u.test(name);

/**
 * @param {Record<string, string>} unit
 * @param {string} prefix
 */
function formsOf(unit, prefix) {
  const forms = COUNTS.flatMap((count) => {
    const pattern = unit[`${prefix}${count}`];
    return pattern !== undefined && isSpoken(pattern) ? [[count, shortForm(pattern)]] : [];
  });
  const { other, ...counts } = Object.fromEntries(forms);
  if (other === undefined) return undefined;
  return { ...Object.fromEntries(Object.entries(counts).filter(([, form]) => form !== other)), other };
}

/** The abbreviations of a unit in the script of the language. @param {Record<string, string>} unit */
const symbolsOf = (unit) => [
  ...new Set(
    COUNTS.flatMap(
      (count) =>
        /^\{0\}[ \u00a0]?([\p{L}\p{M}/²³.]+)$/u.exec(unit[`unitPattern-count-${count}`] ?? '')?.[1] ?? [],
    ),
  ),
];

const NOTICE = 'Copyright © 1991-2025 Unicode, Inc. Unicode License v3, https://www.unicode.org/license.txt';

/** @param {string} language */
function tableOf(language) {
  const { numbers } = read('cldr-numbers-full/main', language, 'numbers.json').main[language];
  const { calendars } = read('cldr-dates-full/main', language, 'ca-gregorian.json').main[language].dates;
  const months = calendars.gregorian.months.format;
  const { decimal, group } = numbers['symbols-numberSystem-latn'];
  return {
    decimal,
    group,
    plurals: pluralsOf(language),
    months: Object.values(months.wide),
    shortMonths: Object.values(months.abbreviated).map((name) => name.replace('.', '')),
    units: unitsOf(read('cldr-units-full/main', language, 'units.json').main[language].units),
    currencies: currenciesOf(
      read('cldr-numbers-full/main', language, 'currencies.json').main[language].numbers.currencies,
    ),
  };
}

/** @param {string} language */
function pluralsOf(language) {
  const rules = read('cldr-core/supplemental/plurals.json').supplemental['plurals-type-cardinal'][language];
  return Object.fromEntries(
    Object.entries(rules)
      .map(([name, rule]) => [name.replace('pluralRule-count-', ''), rule.split('@')[0].trim()])
      .filter(([name]) => name !== 'other'),
  );
}

/** @param {{long: Record<string, Record<string, string>>, short: Record<string, Record<string, string>>}} units */
function unitsOf({ long, short }) {
  return Object.fromEntries(
    Object.entries(UNITS).flatMap(([symbol, id]) => {
      const { gender, perUnitPattern: per, ...patterns } = long[id] ?? {};
      const forms = formsOf(patterns, 'unitPattern-count-');
      if (forms === undefined) return [];
      // "Gb" is a gigabit in CLDR, and a gigabyte in most texts.
      const symbols = symbolsOf(short[id] ?? {}).filter(
        (name) => name !== symbol && name !== forms.other && !/^[kMG]b$/u.test(name),
      );
      const extra = {
        ...(symbols.length > 0 && { symbols }),
        ...(gender && { gender }),
        ...(per && isSpoken(per) && { per: per.replace('{0}', '#') }),
      };
      return [[symbol, { forms, ...extra }]];
    }),
  );
}

/** @param {Record<string, Record<string, string>>} currencies */
function currenciesOf(currencies) {
  return Object.fromEntries(
    CURRENCIES.flatMap((code) => {
      const { displayName = '', ...names } = currencies[code] ?? {};
      const forms = formsOf({ 'displayName-count-other': displayName, ...names }, 'displayName-count-');
      if (forms === undefined) return [];
      return [
        [
          code,
          Object.fromEntries(Object.entries(forms).map(([count, name]) => [count, name.replace(/^=/u, '')])),
        ],
      ];
    }),
  );
}

/** @param {object} table */
const text = (table) => `${JSON.stringify({ notice: NOTICE, ...table })}\n`;

const languages =
  'en ko ja ar bg cs da de el es et fi fr hi hr hu id it lt lv nl pl pt ro ru sk sl sv tr uk vi zh'.split(
    ' ',
  );
const known = new Set(readdirSync(SHARED));
mkdirSync(path.join(output, 'emoji'), { recursive: true });
for (const language of languages) {
  if (!known.has(`${language}.json`)) throw new Error(`cldr-rbnf has no number words of ${language}`);
  writeFileSync(path.join(output, `${language}.json`), text(tableOf(language)));
  writeFileSync(path.join(output, 'emoji', `${language}.json`), text(emojiOf(language, read)));
}
writeFileSync(
  path.join(output, 'regions.json'),
  text(regionsOf(languages, read, readdirSync(path.join(source, 'cldr-dates-full/main')))),
);
