import type { RomanWords } from '../language.js';
import { END, START } from '../numerals.js';
import type { NormalizationRule } from '../rule.js';
import { spellOut } from '../spell-out.js';
import { polishCaseAfter, days, ordinalIn, years } from './pl-cases.js';

export const polishAbbreviations: Readonly<Record<string, string>> = {
  'np.': 'na przykład',
  'itd.': 'i tak dalej',
  'itp.': 'i tym podobne',
  'm.in.': 'między innymi',
  'm. in.': 'między innymi',
  'tj.': 'to jest',
  'tzn.': 'to znaczy',
  'tzw.': 'tak zwany',
  'ul.': 'ulica',
  'al.': 'aleja',
  'pl.': 'plac',
  'św.': 'święty',
  'prof.': 'profesor',
  'inż.': 'inżynier',
  dr: 'doktor',
  mgr: 'magister',
  'godz.': 'godzina',
  'o godz.': 'o godzinie',
  'od godz.': 'od godziny',
  'do godz.': 'do godziny',
  'przy ul.': 'przy ulicy',
  'na ul.': 'na ulicy',
  'z ul.': 'z ulicy',
  'tel.': 'telefon',
  wg: 'według',
  nr: 'numer',
  'str.': 'strona',
  'p.n.e.': 'przed naszą erą',
  'n.e.': 'naszej ery',
  'proc.': 'procent',
};

const feminine = (value: number, ending: string) =>
  spellOut('pl', `%spellout-ordinal-feminine${ending}`, value);

/** Returns the ordinal of a king or a queen in the case of the name. */
function ruler(value: number, name: string): string {
  if (/^(?:Elżbieta|Katarzyna|Maria|Anna)$/u.test(name)) return feminine(value, '');
  if (/^(?:Elżbiety|Katarzyny|Marii|Anny|Elżbiecie|Annie)$/u.test(name)) return feminine(value, '-genitive');
  if (/^(?:Elżbietę|Katarzynę|Elżbietą|Katarzyną)$/u.test(name)) return feminine(value, '-accusative');
  if (name.endsWith('owi')) return ordinalIn('dative', value);
  return ordinalIn(
    name.endsWith('em') ? 'instrumental' : name.endsWith('a') ? 'genitive' : 'nominative',
    value,
  );
}

const KINGS =
  'Paw(?:eł|ł)|Jan|August|Zygmunt|Kazimierz|Władysław|Bolesław|Henryk|Ludwik|Karol|Filip|Fryderyk|Mikołaj|Aleksander|Aleksandr|Napoleon|Wilhelm|Pius|Benedykt|Jerzy';

export const polishRoman: RomanWords = {
  before: `(?:${KINGS})(?:a|em|owi)?|(?:Elżbie|Katarzyn|An)\\p{Ll}{1,3}|rozdzia(?:ł|le|łu)|tom(?:ie|u)?|częś(?:ć|ci)|akt(?:u)?|kwarta(?:ł|le|łu)`,
  words: (value, before) => {
    if (/^\p{Lu}/u.test(before) && !/^(?:Rozdz|Tom|Czę|Akt|Kwart)/u.test(before)) return ruler(value, before);
    if (/^częś/iu.test(before)) return feminine(value, before.endsWith('i') ? '-genitive' : '');
    return ordinalIn(
      before.endsWith('e') ? 'prepositional' : before.endsWith('u') ? 'genitive' : 'nominative',
      value,
    );
  },
  after: {
    pattern: 'wieku|wiekiem|wiek|w\\.|kwartale|kwartału|kwartał|piętro|liceum',
    words: (value, after, context) => {
      const isPlace = polishCaseAfter(context) === 'prepositional';
      if (/^(?:piętro|liceum)$/u.test(after)) return spellOut('pl', '%spellout-ordinal-neuter', value);
      if (/^(?:wiek|kwartał)$/u.test(after)) return ordinalIn('nominative', value);
      if (after === 'wiekiem') return ordinalIn('instrumental', value);
      return ordinalIn(isPlace || after === 'kwartale' ? 'prepositional' : 'genitive', value);
    },
  },
};

/** Nouns after an ordinal with a point, by case and gender. */
const PLACES: Readonly<Record<string, string>> = {
  'masculine-locative':
    'piętrze|miejscu|peronie|torze|rozdziale|kwartale|poziomie|rzędzie|dniu|tygodniu|miesiącu|wieku|pokoju|etapie|przystanku',
  'masculine-genitive':
    'piętra|miejsca|peronu|toru|rozdziału|kwartału|poziomu|rzędu|dnia|tygodnia|miesiąca|pokoju|etapu|przystanku',
  'feminine-locative': 'klasie|stronie|linii|grupie|próbie|części|godzinie|sali|lekcji|minucie',
  'feminine-genitive': 'klasy|strony|linii|grupy|próby|części|godziny|sali|lekcji|minuty',
  'feminine-accusative': 'klasę|stronę|linię|grupę|próbę|część|godzinę|salę|lekcję|minutę',
};

const FORMS_BY_NOUN = new Map<string, string[]>();
for (const [form, nouns] of Object.entries(PLACES))
  for (const noun of nouns.split('|')) FORMS_BY_NOUN.set(noun, [...(FORMS_BY_NOUN.get(noun) ?? []), form]);

/** A noun that can be counted, and no symbol of a unit. */
const COUNTED = '(?!(?:tys|ml[nd]|min|sek|proc|mies|szt|godz|roku|rok)(?!\\p{L}))\\p{Ll}{3,}';

export const polishForms: readonly NormalizationRule[] = [
  // "do 10 osób", "z 12 pracownikami".
  {
    pattern: new RegExp(
      `${START}(?<value>[2-9]|[1-9]\\d{1,3})${END}(?= (?:do \\d|(?<noun>${COUNTED})))`,
      'gu',
    ),
    words: ({ value = '', noun = '' }, before) => {
      const isYear = /^(?:1[5-9]|20)\d\d$/u.test(value);
      if (noun.endsWith('ami'))
        return spellOut('pl', '%spellout-cardinal-masculine-instrumental', Number(value));
      if (isYear || polishCaseAfter(before) !== 'genitive') return undefined;
      return spellOut('pl', '%spellout-cardinal-masculine-genitive', Number(value));
    },
  },
  {
    pattern: new RegExp(`${START}(?<value>[1-9]\\d?)\\. (?<noun>\\p{Ll}{3,12})(?!\\p{L})`, 'gu'),
    words: ({ value, noun = '' }, before) => {
      const forms = FORMS_BY_NOUN.get(noun) ?? [];
      const own = polishCaseAfter(before);
      const form = forms.find((one) => own === 'genitive' && one.endsWith(own)) ?? forms[0];
      return form && `${spellOut('pl', `%spellout-ordinal-${form}`, Number(value))} ${noun}`;
    },
  },
  // "lata 90.", "w latach 80.".
  {
    pattern: /(?<=(?<!\p{L})lat(?<end>a|ach)? )(?<value>[2-9]0)\./gu,
    words: ({ end, value }) =>
      spellOut('pl', `%spellout-ordinal-plural${end === 'a' ? '' : '-genitive'}`, Number(value)),
  },
  ...years,
];

export const polishNames: readonly NormalizationRule[] = [
  days,
  // "Ok." alone is no abbreviation.
  { pattern: /(?<!\p{L})ok\. ?(?=\d)/gu, words: () => 'około ' },
  { pattern: /(?<=\p{L}(?:[yi]m|ego) )w\.(?=[ ,;)]|$)/gu, words: () => 'wieku' },
];
