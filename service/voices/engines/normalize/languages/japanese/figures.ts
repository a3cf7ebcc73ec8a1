/** How numbers are written: in kanji, or in digits for the dictionary, which reads a number by the counter after it. */
export interface JapaneseFigures {
  number(value: number): string;
  /** Spells digits, as in a code or a telephone number. */
  spell(digits: string): string;
  /** Reads a number with decimals; undefined leaves it in digits. */
  decimal(whole: string, fraction: string): string | undefined;
  /** The word between the parts of a version; without it, a version stays in digits. */
  dot?: string;
  /** Kana of minutes and of the first day of a month, for services that can read 十分 as "enough" and 一日 as "a day". */
  kana?: { minutes(value: number): string; firstDay: string };
}

const DIGITS = '零一二三四五六七八九';
const UNITS = ['', '十', '百', '千'];
const MYRIADS = ['', '万', '億', '兆'];
const KANA = ['ゼロ', 'イチ', 'ニ', 'サン', 'ヨン', 'ゴ', 'ロク', 'ナナ', 'ハチ', 'キュー'];

export const inKanji: JapaneseFigures = {
  number: kanjiNumber,
  spell: kanjiDigits,
  decimal: (whole, fraction) => `${kanjiNumber(Number(whole))}点${kanjiDigits(fraction)}`,
  dot: '点',
};

export const inDigits: JapaneseFigures = {
  number: String,
  spell: (digits) => Array.from(digits, (digit) => KANA[Number(digit)] ?? digit).join(''),
  decimal: () => undefined,
};

/** For hosted services: numbers in kanji, and kana where the kanji have another reading. */
export const inWords: JapaneseFigures = {
  ...inKanji,
  spell: inDigits.spell,
  kana: { minutes, firstDay: 'ついたち' },
};

const TENS = ['', 'じゅう', 'にじゅう', 'さんじゅう', 'よんじゅう', 'ごじゅう'];
const MINUTES = 'いっぷん にふん さんぷん よんぷん ごふん ろっぷん ななふん はっぷん きゅうふん'.split(' ');

/** @param value 1 to 59 */
function minutes(value: number): string {
  const [ten, one] = [Math.floor(value / 10), value % 10];
  return one === 0 ? (TENS[ten] ?? '').replace(/う$/u, 'っぷん') : `${TENS[ten]}${MINUTES[one - 1]}`;
}

/** @param value whole number of up to 16 digits */
function kanjiNumber(value: number): string {
  if (value === 0) return '零';
  const digits = String(value);
  const padded = digits.padStart(Math.ceil(digits.length / 4) * 4, '0');
  const groups = padded.match(/\d{4}/gu) ?? [];
  return groups
    .map((group, at) => {
      const myriad = groups.length - 1 - at;
      const words = kanjiGroup(group, myriad > 0);
      return words === '' ? '' : `${words}${MYRIADS[myriad] ?? ''}`;
    })
    .join('');
}

/** A thousand of ten thousands is 一千万, a thousand alone 千. */
function kanjiGroup(group: string, isHigher: boolean): string {
  return Array.from(group, (digit, at) => {
    if (digit === '0') return '';
    const unit = UNITS[group.length - 1 - at] ?? '';
    const isSilent = digit === '1' && unit !== '' && !(unit === '千' && isHigher);
    return `${isSilent ? '' : (DIGITS[Number(digit)] ?? '')}${unit}`;
  }).join('');
}

function kanjiDigits(digits: string): string {
  return Array.from(digits, (digit) => (digit === '0' ? '〇' : (DIGITS[Number(digit)] ?? digit))).join('');
}
