import type { Language, Noun, UnitWords } from '../language.js';

/** The prefixes that are in use with each base unit. */
const SCALES: Readonly<Record<string, string>> = {
  m: 'kdcmµ',
  g: 'kmµ',
  l: 'hdcm',
  L: 'm',
  s: 'm',
  W: 'mkMG',
  Wh: 'kMG',
  V: 'mk',
  VA: 'k',
  A: 'm',
  Ah: 'm',
  Hz: 'kMG',
  Pa: 'hkM',
  bar: 'm',
  B: 'kKMGT',
  o: 'kKMGT',
  bit: 'kMG',
  cal: 'k',
  J: 'kM',
  Ω: 'kM',
};
/** Base units that are too short to be recognized without a prefix. */
const PREFIXED_ONLY = ['B', 'o', 'bit', 'cal'];
const LENGTHS = ['m', 'km', 'dm', 'cm', 'mm'];

const made = new WeakMap<UnitWords, ReadonlyMap<string, Noun>>();

/** Returns the nouns of all unit symbols of a language. */
export function unitsOf({ units }: Language): ReadonlyMap<string, Noun> {
  let nouns = made.get(units);
  if (nouns === undefined) made.set(units, (nouns = nounsOf(units)));
  return nouns;
}

function nounsOf(units: UnitWords): ReadonlyMap<string, Noun> {
  // The language's own word for "per" is the usual one.
  const more = Object.entries(units.more ?? {}).filter(([symbol]) => !symbol.includes('/'));
  const symbols = new Map([...scaledUnits(units), ...more]);
  for (const [symbol, noun] of Object.entries(units.names)) symbols.set(symbol, noun);
  const liter = symbols.get('l');
  if (liter !== undefined) symbols.set('L', liter);
  for (const symbol of PREFIXED_ONLY) symbols.delete(symbol);
  for (const length of LENGTHS) addPowers(symbols, length, units);
  for (const [symbol, noun] of symbols) {
    const digits = symbol.replace('²', '2').replace('³', '3');
    if (digits !== symbol && !symbols.has(digits)) symbols.set(digits, noun);
  }
  return withSpellings(symbols);
}

function scaledUnits({ prefixes = {}, names, more = {} }: UnitWords): Map<string, Noun> {
  const scaled = new Map<string, Noun>();
  for (const [base, scales] of Object.entries(SCALES)) {
    const noun = names[base] ?? more[base];
    if (noun === undefined) continue;
    for (const scale of scales.split('').filter((scale) => prefixes[scale] !== undefined))
      scaled.set(
        `${scale}${base}`,
        renameNoun(noun, (name) => withPrefix(prefixes[scale], name)),
      );
  }
  return scaled;
}

function withPrefix(prefix: string | undefined, name: string): string {
  return prefix === undefined ? name : `${prefix}${name.charAt(0).toLowerCase()}${name.slice(1)}`;
}

function addPowers(symbols: Map<string, Noun>, length: string, { square, cube }: UnitWords): void {
  const noun = symbols.get(length);
  if (noun === undefined || square === undefined || cube === undefined) return;
  for (const sign of ['²', '2', '^2']) symbols.set(`${length}${sign}`, renameNoun(noun, square));
  for (const sign of ['³', '3', '^3']) symbols.set(`${length}${sign}`, renameNoun(noun, cube));
}

/** Adds the characters that look alike: the Greek mu, and signs used for degrees. */
function withSpellings(symbols: ReadonlyMap<string, Noun>): ReadonlyMap<string, Noun> {
  const spelled = new Map(symbols);
  for (const [symbol, noun] of symbols) {
    spelled.set(symbol.replace('µ', 'μ'), noun);
    if (symbol.length > 1 && !symbols.has(symbol.toLowerCase())) spelled.set(symbol.toLowerCase(), noun);
    const letter = /^°([CF])$/u.exec(symbol)?.[1];
    if (letter === undefined) continue;
    for (const spelling of [`° ${letter}`, `º${letter}`, letter === 'C' ? '℃' : '℉'])
      spelled.set(spelling, noun);
    const small = letter.toLowerCase();
    for (const spelling of [`°${small}`, `° ${small}`])
      spelled.set(spelling, symbols.get(`°${small}`) ?? noun);
  }
  return spelled;
}

/** Returns the noun with other names. */
export function renameNoun({ series, ...forms }: Noun, rename: (name: string) => string): Noun {
  const renamed = Object.entries(forms).map(([form, name]) => [form, rename(name)]);
  return { series, other: rename(forms.other), ...Object.fromEntries(renamed) };
}
