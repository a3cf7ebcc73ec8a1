import { spellOut } from '../../spell-out.js';

const UNITS =
  ' первый второй третий четвертый пятый шестой седьмой восьмой девятый десятый одиннадцатый двенадцатый тринадцатый четырнадцатый пятнадцатый шестнадцатый семнадцатый восемнадцатый девятнадцатый'.split(
    ' ',
  );
const TENS =
  '  двадцатый тридцатый сороковой пятидесятый шестидесятый семидесятый восьмидесятый девяностый'.split(' ');
const HUNDREDS =
  ' сотый двухсотый трехсотый четырехсотый пятисотый шестисотый семисотый восьмисотый девятисотый'.split(' ');

/** The endings after hard stems, and after the soft stem of "третий". */
const ENDINGS = {
  masculine: ['', ''],
  feminine: ['ая', 'ья'],
  neuter: ['ое', 'ье'],
  plural: ['ые', 'ьи'],
  genitive: ['ого', 'ьего'],
  dative: ['ому', 'ьему'],
  instrumental: ['ым', 'ьим'],
  prepositional: ['ом', 'ьем'],
  'feminine-oblique': ['ой', 'ьей'],
  'feminine-accusative': ['ую', 'ью'],
  'plural-genitive': ['ых', 'ьих'],
  'plural-instrumental': ['ыми', 'ьими'],
} as const;

/** `genitive` to `prepositional` are those of the masculine and the neuter. */
export type OrdinalForm = keyof typeof ENDINGS;

const MAX_ORDINAL = 999_999;

/**
 * Returns an ordinal: only its last word is one. A year begins with "тысяча", not with "одна тысяча". The words are not those of
 * CLDR, which has round hundreds as cardinals and "третьому".
 * @param value 1 to 999,999
 */
export function russianOrdinal(value: number, form: OrdinalForm = 'masculine'): string | undefined {
  if (value < 1 || value > MAX_ORDINAL) return undefined;
  const [size, name] = lastWord(value);
  const [hard, soft] = ENDINGS[form];
  const stem = /^(?<stem>.*?)(?<end>ий|[ыо]й)$/u.exec(name)?.groups ?? {};
  const last = form === 'masculine' ? name : `${stem['stem']}${stem['end'] === 'ий' ? soft : hard}`;
  return value === size ? last : `${withoutOne(spellOut('ru', '%spellout-numbering', value - size))} ${last}`;
}

/** Returns the value of the last word of an ordinal, and its nominative. */
function lastWord(value: number): [size: number, name: string] {
  const [tens, hundreds] = [value % 100, value % 1000];
  if (hundreds === 0) return [value, `${value === 1000 ? '' : joinedNumber(value / 1000)}тысячный`];
  if (tens === 0) return [hundreds, HUNDREDS[hundreds / 100] ?? ''];
  if (tens < 20) return [tens, UNITS[tens] ?? ''];
  return tens % 10 === 0 ? [tens, TENS[tens / 10] ?? ''] : [tens % 10, UNITS[tens % 10] ?? ''];
}

const withoutOne = (words: string) => words.replace(/^одна тысяча/u, 'тысяча');

/** Returns a number as the first part of a word, such as "сорока" of "сорокалетний": mostly the genitive. */
export function joinedNumber(value: number): string {
  return spellOut('ru', '%spellout-cardinal-masculine-genitive', value)
    .replace(/^одной тысячи|тысяч[иа]?(?!\p{L})/u, 'тысяче')
    .replace(/(?<!\p{L})ста(?!\p{L})/u, 'сто')
    .replace('девяноста', 'девяносто')
    .replace(/одного$/u, 'одно')
    .replaceAll(' ', '');
}
