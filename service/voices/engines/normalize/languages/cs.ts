import type { Series } from '../language.js';
import { electronicOf, type Facts, noun4, slavicSeries } from '../language-of.js';
import { START } from '../numerals.js';
import { spellOut } from '../spell-out.js';
import { type Case, caseFinder, dayListRule } from './slavic-cases.js';
const UNITS =
  ' první druhý třetí čtvrtý pátý šestý sedmý osmý devátý desátý jedenáctý dvanáctý třináctý čtrnáctý patnáctý šestnáctý sedmnáctý osmnáctý devatenáctý'.split(
    ' ',
  );
const TENS = '  dvacátý třicátý čtyřicátý padesátý šedesátý sedmdesátý osmdesátý devadesátý'.split(' ');
const ENDINGS: Readonly<Record<string, readonly [hard: string, soft: string]>> = {
  masculine: ['ý', 'í'],
  feminine: ['á', 'í'],
  neuter: ['é', 'í'],
  genitive: ['ého', 'ího'],
  dative: ['ému', 'ímu'],
  instrumental: ['ým', 'ím'],
  prepositional: ['ém', 'ím'],
  'feminine-genitive': ['é', 'í'],
  'feminine-accusative': ['ou', 'í'],
};

/** CLDR has no ordinals of Czech. From 100 on, they are rare in texts. */
function ordinal(value: number, form = 'masculine'): string | undefined {
  if (value < 1 || value > 99) return undefined;
  const words = value < 20 ? [UNITS[value]] : [TENS[Math.floor(value / 10)], UNITS[value % 10]];
  const [hard = 'ý', soft = 'í'] = ENDINGS[form] ?? [];
  return words
    .filter(Boolean)
    .map((word = '') => word.replace(/ý$/u, hard).replace(/í$/u, soft))
    .join(' ');
}

const cardinal = (value: number, series: Series) =>
  spellOut('cs', series === 'plain' ? '%spellout-numbering' : `%spellout-cardinal-${series}`, value)
    .replaceAll('dvě tisíce', 'dva tisíce')
    .replace(/^jedna? tisíc/u, 'tisíc');

const MONTHS = 'ledna února března dubna května června července srpna září října listopadu prosince'.split(
  ' ',
);

const caseAfter = caseFinder({
  genitive: 'od|do|z|ze|bez|kolem|okolo|podle|během|u|kromě|vedle',
  dative: 'k|ke|proti|díky',
  accusative: 'na|pro|přes',
  instrumental: 's|se|před|mezi|nad|pod|za',
  prepositional: 'v|ve|o|po|při',
});

const dayIn = (wanted: Case, value: number) =>
  ordinal(value, wanted === 'nominative' || wanted === 'accusative' ? 'masculine' : wanted) ?? '';
/** The month is in the genitive, and so is a day without a preposition. */
const dayCase = (before: string): Case => {
  const own = caseAfter(before);
  return own === undefined || own === 'prepositional' || own === 'accusative' ? 'genitive' : own;
};

/** Nouns after an ordinal, by its form; the preposition decides between two forms. */
const PLACES: Readonly<Record<string, string>> = {
  prepositional:
    'patře|místě|století|poschodí|kole|ročníku|dílu|dni|dnu|týdnu|měsíci|roce|podlaží|nástupišti|pokoji|kroku',
  genitive: 'patra|místa|století|poschodí|kola|ročníku|dílu|dne|týdne|měsíce|podlaží|nástupiště|pokoje|kroku',
  dative: 'patru|místu|století|poschodí|kolu|ročníku|dílu|dni|týdnu|měsíci|podlaží|nástupišti|pokoji',
  instrumental:
    'patrem|místem|stoletím|poschodím|kolem|ročníkem|dílem|dnem|týdnem|měsícem|podlažím|nástupištěm|květnem',
  'feminine-genitive':
    'třídy|třídě|strany|straně|koleje|koleji|linky|lince|řady|řadě|kapitoly|kapitole|skupiny|skupině|hodiny|hodině|části',
  'feminine-accusative': 'třídu|stranu|kolej|linku|řadu|kapitolu|skupinu|hodinu',
};
const FORMS_BY_NOUN = new Map<string, string[]>();
for (const [form, nouns] of Object.entries(PLACES))
  for (const noun of nouns.split('|')) FORMS_BY_NOUN.set(noun, [...(FORMS_BY_NOUN.get(noun) ?? []), form]);

/** Returns the form of an ordinal before a noun; undefined for the nominative. */
function formBefore(noun: string, before: string): string | undefined {
  const forms = FORMS_BY_NOUN.get(noun) ?? [];
  const own = caseAfter(before) ?? (/(?<!\p{L})na $/iu.test(before) ? 'prepositional' : undefined);
  const isPlace = own === 'accusative' && forms.includes('prepositional') && !/(?:í|ště)$/u.test(noun);
  const fitting = forms.find((form) => form === (isPlace ? 'prepositional' : own));
  // "století" and "poschodí" are nominatives too.
  return fitting ?? (/(?:í|ště|kolej|části)$/u.test(noun) && own === undefined ? undefined : forms[0]);
}

const RULERS =
  'Karel|Václav|Ferdinand|Rudolf|Josef|František|Ludvík|Jindřich|Filip|Vilém|Mikuláš|Alexandr|Pius|Benedikt|Jan Pavel';

/** Czech. */
export const facts: Facts = {
  code: 'cs',
  numbers: {
    cardinal: (value, series) => cardinal(value, series === 'common' ? 'masculine' : series),
    year: (value) => cardinal(value, 'plain'),
    ordinal,
    ordinalBefore: slavicSeries,
    decimals: (whole, fraction) => {
      const value = Number(whole);
      const name = value === 1 ? 'celá' : value >= 2 && value <= 4 ? 'celé' : 'celých';
      return `${cardinal(value, 'feminine')} ${name} ${Array.from(fraction, (digit) => cardinal(Number(digit), 'plain')).join(' ')}`;
    },
    pointMarksOrdinals: true,
    minus: 'minus',
    plus: 'plus',
    mark: 'celá',
    to: 'až',
    dot: 'tečka',
    equals: 'rovná se',
  },
  units: { by: 'za' },
  money: {
    units: {
      CZK: noun4('koruna', 'koruny', 'koruny', 'feminine', 'korun'),
      EUR: noun4('euro', 'eura', 'eura', 'neuter', 'eur'),
    },
    cents: {
      CZK: noun4('haléř', 'haléře', 'haléře', 'masculine', 'haléřů'),
      EUR: noun4('cent', 'centy', 'centu', 'masculine', 'centů'),
    },
    signs: { Kč: 'CZK' },
  },
  dates: {
    date: ({ year, month, day }, before) =>
      `${dayIn(dayCase(before), day)} ${MONTHS[month - 1]}${year === undefined ? '' : ` ${cardinal(year, 'plain')}`}`,
    shortDates: true,
    dayMonth: '\\. ',
  },
  abbreviations: {
    'např.': 'například',
    'tzv.': 'takzvaný',
    'tj.': 'to jest',
    'atd.': 'a tak dále',
    'apod.': 'a podobně',
    'č.': 'číslo',
    'ul.': 'ulice',
    'nám.': 'náměstí',
    'tel.': 'telefon',
    cca: 'cirka',
    'p.n.l.': 'před naším letopočtem',
    'př. n. l.': 'před naším letopočtem',
    'v r.': 'v roce',
  },
  roman: {
    before: `${RULERS}|kapitola|díl|svazek`,
    point: true,
    words: (value, before) =>
      ordinal(value, before.toLowerCase() === 'kapitola' ? 'feminine' : 'masculine') ?? '',
    after: {
      pattern: 'století|ročník',
      mark: '\\.?',
      words: (value, after, context) =>
        after === 'ročník'
          ? (ordinal(value) ?? '')
          : (ordinal(value, formBefore('století', context) ?? 'neuter') ?? ''),
    },
  },
  names: [
    dayListRule(MONTHS, {
      caseAfter,
      point: '\\.',
      usual: dayCase,
      day: dayIn,
      range: (from, to) => `${dayIn('genitive', from)} až ${dayIn('genitive', to)}`,
    }),
  ],
  forms: [
    {
      pattern: new RegExp(`${START}(?<value>[1-9]\\d?)\\. (?<noun>\\p{Ll}{3,12})(?!\\p{L})`, 'gu'),
      words: ({ value, noun = '' }, before) => {
        const form = formBefore(noun, before);
        return form === undefined ? undefined : `${ordinal(Number(value), form)} ${noun}`;
      },
    },
  ],
  electronic: electronicOf('zavináč|tečka|pomlčka|podtržítko|lomítko|dvojtečka'),
  signs: {
    and: 'a',
    hashtag: 'hashtag',
    times: 'krát',
    divided: 'děleno',
    plusMinus: 'plus minus',
    by: 'krát',
    score: 'ku',
  },
};
