import { electronicOf, type Facts, noun4, noun } from '../language-of.js';
import { START } from '../numerals.js';
import { type Case, caseFinder, dayListRule, yearRules } from './slavic-cases.js';
import { spellOut } from '../spell-out.js';
const UNITS =
  ' перший другий третій четвертий пʼятий шостий сьомий восьмий девʼятий десятий одинадцятий дванадцятий тринадцятий чотирнадцятий пʼятнадцятий шістнадцятий сімнадцятий вісімнадцятий девʼятнадцятий'.split(
    ' ',
  );
const TENS =
  '  двадцятий тридцятий сороковий пʼятдесятий шістдесятий сімдесятий вісімдесятий девʼяностий'.split(' ');
const HUNDREDS =
  ' сотий двохсотий трьохсотий чотирьохсотий пʼятисотий шестисотий семисотий восьмисотий девʼятисотий'.split(
    ' ',
  );
const ENDINGS: Readonly<Record<string, readonly [hard: string, soft: string]>> = {
  masculine: ['ий', 'ій'],
  feminine: ['а', 'я'],
  neuter: ['е', 'є'],
  genitive: ['ого', 'ього'],
  dative: ['ому', 'ьому'],
  instrumental: ['им', 'ім'],
  plural: ['і', 'і'],
  'plural-genitive': ['их', 'іх'],
};
const THOUSANDS: Readonly<Record<number, string>> = { 1000: 'тисячний', 2000: 'двотисячний' };

/** CLDR has no ordinals of Ukrainian: only the last word is one. */
function ordinal(value: number, form = 'masculine'): string | undefined {
  const rest = value % 100;
  const thousand = THOUSANDS[value];
  if (value < 1 || value > 9999 || (value % 1000 === 0 && thousand === undefined)) return undefined;
  const [size, name] =
    thousand !== undefined
      ? [value, thousand]
      : rest === 0
        ? [100 * (Math.floor(value / 100) % 10), HUNDREDS[Math.floor(value / 100) % 10]]
        : rest < 20
          ? [rest, UNITS[rest]]
          : rest % 10 === 0
            ? [rest, TENS[rest / 10]]
            : [rest % 10, UNITS[rest % 10]];
  const [hard = 'ий', soft = 'ій'] = ENDINGS[form] ?? [];
  const last = (name ?? '').replace(/ий$/u, hard).replace(/ій$/u, soft);
  return value === size ? last : `${year(value - size)} ${last}`;
}

const year = (value: number) =>
  spellOut('uk', '%spellout-numbering', value).replace(/^одна тисяча/u, 'тисяча');
const FORMS: ReadonlyArray<readonly [ending: RegExp, form: string]> = [
  [/^(?:ий|ій|й)$/u, 'masculine'],
  [/^(?:а|я)$/u, 'feminine'],
  [/^(?:е|є)$/u, 'neuter'],
  [/^(?:о|ьо)?го$/u, 'genitive'],
  [/^(?:о|ьо)?му$/u, 'dative'],
  [/^т?і$/u, 'plural'],
  [/^(?:т?и)?х$/u, 'plural-genitive'],
];

const caseAfter = caseFinder({
  genitive:
    'з|із|зі|від|до|після|з-за|близько|крім|для|без|протягом|впродовж|упродовж|понад|більше|менше|раніше|пізніше',
  accusative: 'на|за|по|через|про',
  instrumental: 'між|перед|над',
  prepositional: 'у|в|о|об|при',
});

/** The prepositional of an ordinal is like its dative. */
const formIn = (wanted: Case, nominative: 'masculine' | 'neuter') =>
  wanted === 'nominative' || wanted === 'accusative'
    ? nominative
    : wanted === 'prepositional'
      ? 'dative'
      : wanted;
const yearIn = (wanted: Case, value: number) => ordinal(value, formIn(wanted, 'masculine')) ?? year(value);
const dayIn = (wanted: Case, value: number) => ordinal(value, formIn(wanted, 'neuter')) ?? '';
/** A day after "у" has no case of its own. */
const dayCase = (before: string): Case => {
  const own = caseAfter(before);
  return own === undefined || own === 'prepositional' ? 'genitive' : own;
};
const YEARS = {
  nominative: 'рік',
  genitive: 'року',
  dative: 'року',
  accusative: 'рік',
  instrumental: 'роком',
  prepositional: 'році',
} as const satisfies Record<Case, string>;

const MONTHS = 'січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня'.split(
  ' ',
);

/** Ukrainian. */
export const facts: Facts = {
  code: 'uk',
  script: '\\p{Script=Cyrillic}',
  numbers: {
    minus: 'мінус',
    plus: 'плюс',
    mark: 'кома',
    to: 'до',
    dot: 'крапка',
    equals: 'дорівнює',
    ordinal,
    year,
    range: (from, until) => `${from}–${until}`,
    seriesBefore: (word, digits) =>
      /[12]$/u.test(digits) && /^\p{Ll}{2,}[аяиі]$/u.test(word) && !/^(?:та|або|при|біля|на|за)$/u.test(word)
        ? 'feminine'
        : 'plain',
  },
  units: { by: 'на' },
  money: {
    units: { UAH: noun4('гривня', 'гривні', 'гривень', 'feminine', 'гривні'), EUR: noun('євро') },
    cents: {
      UAH: noun4('копійка', 'копійки', 'копійок', 'feminine', 'копійки'),
      EUR: noun4('цент', 'центи', 'центів', 'masculine', 'цента'),
    },
    signs: { грн: 'UAH', 'грн.': 'UAH' },
  },
  dates: {
    date: ({ year: ofYear, month, day }, before) =>
      `${dayIn(dayCase(before), day)} ${MONTHS[month - 1]}${ofYear === undefined ? '' : ` ${ordinal(ofYear, 'genitive') ?? year(ofYear)} року`}`,
    shortDates: true,
    dayMonth: '(?:-?го)? ',
    yearWord: ' ?(?:року|р\\.)',
  },
  electronic: electronicOf('собака|крапка|дефіс|нижнє підкреслення|скісна риска|двокрапка'),
  signs: {
    and: 'і',
    hashtag: 'хештег',
    times: 'помножити на',
    divided: 'поділити на',
    plusMinus: 'плюс-мінус',
    by: 'на',
    score: '',
  },
  abbreviations: {
    'вул.': 'вулиця',
    'просп.': 'проспект',
    'пл.': 'площа',
    'буд.': 'будинок',
    'ім.': 'імені',
    'і т. д.': 'і так далі',
    'і т.д.': 'і так далі',
    'т. зв.': 'так званий',
    'до н. е.': 'до нашої ери',
    'н. е.': 'нашої ери',
    'тел.': 'телефон',
    '№': 'номер',
  },
  roman: {
    before: 'розділ|том|частина',
    words: (value, before) =>
      ordinal(value, before.toLowerCase() === 'частина' ? 'feminine' : 'masculine') ?? '',
    after: {
      pattern: 'століття|столітті|століттям|ст\\.(?! *$)',
      words: (value, after, context) => {
        const own = caseAfter(context);
        if (after === 'столітті' || (after !== 'століття' && own === 'prepositional'))
          return ordinal(value, 'dative') ?? '';
        if (after === 'століттям') return ordinal(value, 'instrumental') ?? '';
        return ordinal(value, own === 'genitive' || /\p{L} $/u.test(context) ? 'genitive' : 'neuter') ?? '';
      },
    },
  },
  names: [
    dayListRule(MONTHS, {
      caseAfter,
      usual: dayCase,
      day: dayIn,
      range: (from, to) => `з ${dayIn('genitive', from)} по ${dayIn('accusative', to)}`,
    }),
    { pattern: /(?<=ому )ст\.(?! *$)/gu, words: () => 'столітті' },
    { pattern: /(?<=ого )ст\.(?! *$)/gu, words: () => 'століття' },
  ],
  forms: [
    ...yearRules({
      caseAfter,
      nouns: {
        рік: 'nominative',
        року: 'genitive',
        році: 'prepositional',
        роком: 'instrumental',
        роках: 'prepositional',
        років: 'genitive',
        роки: 'nominative',
      },
      short: 'р.',
      noun: (wanted) => YEARS[wanted],
      year: yearIn,
    }),
    {
      pattern: new RegExp(
        `${START}(?<value>[1-9]\\d{0,3})-(?<ending>\\p{Script=Cyrillic}{1,3})(?!\\p{L})`,
        'gu',
      ),
      words: ({ value, ending = '' }) => {
        const form = FORMS.find(([pattern]) => pattern.test(ending))?.[1];
        return form === undefined ? undefined : ordinal(Number(value), form);
      },
    },
  ],
};
