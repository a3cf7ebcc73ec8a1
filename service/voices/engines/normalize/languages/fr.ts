import type { ClockTime, Language, Noun, Series } from '../language.js';
import { localeData } from '../locale-data.js';
import { END, START } from '../numerals.js';
import { spellOut } from '../spell-out.js';

const plain = (value: number) => spellOut('fr', '%spellout-numbering', value);
const monthName = (month: number) => localeData('fr').months[month - 1] ?? '';

function noun(one: string, other = `${one}s`, series: Series = 'masculine'): Noun {
  return { one, other, series };
}

/** Names of kings and popes before Roman numerals. */
const RULERS =
  'Louis|Henri|Charles|François|Philippe|Napoléon|Jean|Jean-Paul|Benoît|Paul|Pie|Léon|Grégoire|Édouard|Georges|Guillaume|Élisabeth|Catherine|Frédéric|Léopold|Albert|Nicolas|Alexandre|Pierre|Ferdinand|Ramsès';

/** Feminine nouns that are often counted, without an ending that shows their gender. */
const FEMININE =
  /(?:tion|sion|té|ette|elle|esse|ance|ence|ure|ade|ée|ie|euse|trice|ille|ine|ise|ne|pe|que|se|ve)s?$|^(?:personne|porte|heure|minute|seconde|semaine|année|fois|page|alarme|voix|nuit|vis|clé|main|chambre|adresse|offre|lettre|lampe|place|tonne|livre|douzaine|fenêtre|pièce|tâche|caméra)s?$/u;
const MASCULINE =
  /^(?:côté|été|comité|arrêté|musée|lycée|trophée|génie|incendie|parapluie|domaine|magazine|téléphone|kilomètre|groupe|type|principe|cycle|signe|phénomène|disque|chèque|kiosque|mine|hygrophone|cadavre|rêve|conclave|fleuve|couple)s?$/u;

/** French. A plain space separates thousands: 1 234,50. */
export const language: Language = {
  code: 'fr',
  numbers: {
    cardinal,
    ordinal: (value) => spellOut('fr', '%spellout-ordinal-masculine', value),
    decimal: ',',
    point: { '.': ' virgule ', ',': ' virgule ' },
    joinsDecimals: true,
    spacesThousands: true,
    seriesBefore: (word) =>
      /^\p{Ll}{3,}$/u.test(word) && FEMININE.test(word) && !MASCULINE.test(word) ? 'feminine' : 'plain',
    equals: 'égale',
    minus: 'moins',
    plus: 'plus',
    space: ' ',
    range: (from, to) => `${from} à ${to}`,
    dot: 'point',
    year: plain,
  },
  units: {
    prefixes: {
      k: 'kilo',
      K: 'kilo',
      M: 'méga',
      G: 'giga',
      T: 'téra',
      m: 'milli',
      c: 'centi',
      d: 'déci',
      h: 'hecto',
      µ: 'micro',
    },
    names: {
      kWh: noun('kilowattheure'),
      Wh: noun('wattheure'),
      VA: noun('voltampère'),
      Ah: noun('ampère-heure', 'ampères-heures'),
      B: noun('octet'),
      o: noun('octet'),
      bit: noun('bit'),
      dB: noun('décibel'),
    },
    square: (name) => `${name} ${name.endsWith('s') ? 'carrés' : 'carré'}`,
    cube: (name) => `${name} ${name.endsWith('s') ? 'cubes' : 'cube'}`,
    per: (name) => `par ${name}`,
    afterMillion: (name) => (/^[aeiouéh]/u.test(name) ? `d'${name}` : `de ${name}`),
  },
  money: {
    currencies: {
      EUR: { unit: noun('euro'), cent: noun('centime') },
      USD: { unit: noun('dollar'), cent: noun('cent') },
      GBP: { unit: noun('livre sterling', 'livres sterling', 'feminine'), cent: noun('penny', 'pence') },
      CHF: { unit: noun('franc suisse', 'francs suisses'), cent: noun('centime') },
      JPY: { unit: noun('yen') },
      KRW: { unit: noun('won') },
    },
    join: (units, cents) => `${units} et ${cents}`,
    scales: { millions: 'millions', million: 'million', milliards: 'milliards', milliard: 'milliard' },
    shortScales: { K: 'mille', M: noun('million'), Md: noun('milliard'), Mds: noun('milliard'), k: 'mille' },
  },
  dates: {
    date: ({ year, month, day }) => {
      const name = `${day === 1 ? 'premier' : plain(day)} ${monthName(month)}`;
      return year === undefined ? name : `${name} ${plain(year)}`;
    },
    monthFirst: false,
    shortDates: false,
    slash: {
      before:
        "[Ll]e|[Dd]u|[Jj]usqu['’]au|[ée]chéance|(?:[Ll]un|[Mm]ar|[Mm]ercre|[Jj]eu|[Vv]endre|[Ss]ame)di|[Dd]imanche",
      beforeLate: 'au|et',
      to: 'au|et le',
      of: 'des?|du|d',
    },
    dayMonth: '(?:er)? ',
    monthYear: ' ',
  },
  times: { time, separator: '\\s?h\\s?', suffix: '\\s?h(?:eures)?' },
  phones: {
    patterns: ['0\\d(?:[ .-]?\\d\\d){4}', '0[ .]8\\d{2}(?:[ .]\\d{3}){2}'],
    pause: ', ',
    digit: plain,
    group: groupInWords,
  },
  electronic: {
    signs: {
      '@': 'arobase',
      '.': 'point',
      '-': 'tiret',
      _: 'tiret bas',
      '/': 'barre oblique',
      ':': 'deux points',
      '://': 'deux points barre oblique barre oblique',
    },
    words: { com: 'com', gmail: 'gmail', org: 'org', net: 'net' },
  },
  abbreviations: {
    Mme: 'madame',
    Mmes: 'mesdames',
    Mlle: 'mademoiselle',
    'M.': 'monsieur',
    MM: 'messieurs',
    'MM.': 'messieurs',
    'Mme.': 'madame',
    'Mmes.': 'mesdames',
    'Mlle.': 'mademoiselle',
    Mᵐᵉ: 'madame',
    Mᵐᵉˢ: 'mesdames',
    Mˡˡᵉ: 'mademoiselle',
    Mˡˡᵉˢ: 'mesdemoiselles',
    Dr: 'docteur',
    'Dr.': 'docteur',
    'p. ex.': 'par exemple',
    'etc.': 'et cetera',
    nº: 'numéro',
    'n°': 'numéro',
    'av. J.-C.': 'avant Jésus-Christ',
    'apr. J.-C.': 'après Jésus-Christ',
    'av.': 'avenue',
    '§': 'paragraphe',
    'tél.': 'téléphone',
    'Tél.': 'téléphone',
    tél: 'téléphone',
    Tél: 'téléphone',
    'N°': 'numéro',
    'N°s': 'numéros',
    'c.-à-d.': "c'est-à-dire",
  },
  roman: {
    before: `siècle|chapitre|tome|acte|scène|livre|${RULERS}`,
    words: (value, before) =>
      value === 1 && new RegExp(`^(?:${RULERS})$`, 'u').test(before) ? 'premier' : plain(value),
    after: {
      pattern: 'siècles?|arrondissement|République|dynastie',
      mark: '(?:e|è|ème|er|re)',
      words: (value, after) => ordinal(value, /^[Rd]/u.test(after) ? 're' : 'e') ?? plain(value),
    },
  },
  signs: {
    and: 'et',
    pages: { before: '[Pp]age|[Éé]tape|[Ff]ichier|[Qq]uestion|[Pp]artie', of: 'sur' },
    hashtag: 'hashtag',
    times: 'fois',
    divided: 'divisé par',
    plusMinus: 'plus ou moins',
    by: 'sur',
    score: 'à',
    codes: {
      before:
        '[Cc]ode(?: postal)?|PIN|[Mm]ot de passe|[Nn](?:uméro|°) (?:de (?:client|série|compte|dossier|commande|contrat)|client)|CP',
      link: 'est|était',
    },
    weekdays: {
      lun: 'lundi',
      mar: 'mardi',
      mer: 'mercredi',
      jeu: 'jeudi',
      ven: 'vendredi',
      sam: 'samedi',
      dim: 'dimanche',
    },
    weekdayRange: 'à',
  },
  fraction: ({ whole, numerator, denominator }) => {
    if (denominator < 2) return undefined;
    const [ending, count] = [numerator === 1 ? '' : 's', plain(numerator)];
    if (whole !== undefined && denominator === 2 && numerator === 1) return `${plain(Number(whole))} et demi`;
    const names: Readonly<Record<number, string>> = { 2: 'demi', 3: 'tiers', 4: `quart${ending}` };
    const words = `${count} ${names[denominator] ?? `${spellOut('fr', '%spellout-ordinal-masculine', denominator)}${ending}`}`;
    return whole === undefined ? words : `${plain(Number(whole))} et ${words}`;
  },
  names: [
    // "François Ier".
    {
      pattern: new RegExp(`(?<=(?<!\\p{L})(?:${RULERS}) )I(?<ending>er|re|ère)(?!\\p{L})`, 'gu'),
      words: ({ ending }) => (ending === 'er' ? 'premier' : 'première'),
    },
    // "Taille M.": a single letter after these words is no title.
    { pattern: /(?<=(?:[Tt]aille|[Ll]ettre|[Ll]igne|[Bb]âtiment|[Gg]roupe) )monsieur/gu, words: () => 'M.' },
  ],
  forms: [
    // "8 h–12 h" names both hours.
    {
      pattern: /(?<![\p{L}\p{N}.,])(?<from>\d{1,2}) ?h ?[-–] ?(?=\d{1,2} ?h(?![\p{L}]))/gu,
      words: ({ from }) =>
        `${cardinal(Number(from), 'feminine')} ${Number(from) < 2 ? 'heure' : 'heures'} à `,
    },
    // "années 80" has no plural.
    {
      pattern: /(?<=années )(?<decade>[1-9]0)(?![\p{L}\p{N}.,]\p{N}?)/gu,
      words: ({ decade }) => plain(Number(decade)).replace(/vingts$/u, 'vingt'),
    },
    {
      pattern: new RegExp(`${START}(?<value>\\d{1,4})(?<ending>er|re|ère|e|è|ème|ième|nde?)s?${END}`, 'gu'),
      words: ({ value, ending = '' }) => ordinal(Number(value), ending),
    },
  ],
};

function cardinal(value: number, series: Series): string {
  return spellOut(
    'fr',
    series === 'feminine' ? '%spellout-cardinal-feminine' : '%spellout-cardinal-masculine',
    value,
  );
}

function ordinal(value: number, ending: string): string | undefined {
  if (value === 0) return undefined;
  if (value === 2 && ending.startsWith('nd')) return ending === 'nde' ? 'seconde' : 'second';
  return spellOut('fr', `%spellout-ordinal-${/r[eè]|ère/u.test(ending) ? 'feminine' : 'masculine'}`, value);
}

/** Telephone numbers are read in groups of two or three: "zéro six, douze", "zéro, huit cents, cent vingt-trois". */
function groupInWords(digits: string): string | undefined {
  if (/^[1-9]\d\d$/u.test(digits)) return plain(Number(digits));
  if (digits.length !== 2) return undefined;
  return digits.startsWith('0') ? `zéro ${plain(Number(digits))}` : plain(Number(digits));
}

function time({ hour, minute, second }: ClockTime): string {
  const hours = `${cardinal(hour, 'feminine')} ${hour < 2 ? 'heure' : 'heures'}`;
  const minutes = minute === 0 && second === 0 ? '' : ` ${plain(minute)}`;
  const seconds =
    second === 0 ? '' : ` et ${cardinal(second, 'feminine')} ${second === 1 ? 'seconde' : 'secondes'}`;
  return `${hours}${minutes}${seconds}`;
}
