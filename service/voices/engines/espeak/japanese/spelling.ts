/** Small kana, their large form, and the kana with which they form one syllable, such as "ァ" in "ファ". */
const SMALL: ReadonlyArray<readonly [small: string, large: string, partners: string]> = [
  ['ぁ', 'あ', 'ふつ'],
  ['ぃ', 'い', 'ふつうてで'],
  ['ぅ', 'う', 'とど'],
  ['ぇ', 'え', 'ふつうしじちい'],
  ['ぉ', 'お', 'ふつう'],
  ['ァ', 'ア', 'フツ'],
  ['ィ', 'イ', 'フツウテデ'],
  ['ゥ', 'ウ', 'トド'],
  ['ェ', 'エ', 'フツウシジチイ'],
  ['ォ', 'オ', 'フツウ'],
];
/** Small kana that never form a syllable with another kana. */
const SINGLE: Readonly<Record<string, string>> = {
  ゎ: 'わ',
  ヮ: 'ワ',
  ゕ: 'か',
  ゖ: 'け',
  ヵ: 'カ',
  ヶ: 'ケ',
};
const LONE_SMALL = new RegExp(
  [...SMALL.map(([small, , partners]) => `(?<![${partners}])${small}`), '[ゎヮゕゖヵヶ]'].join('|'),
  'gu',
);
/** "ー" without effect: after another "ー", after a character that is not kana, or after a separate vowel. */
const IDLE_LENGTH =
  /(?<![\p{Script=Hiragana}\p{Script=Katakana}])ー+|(?<=[ーんンっッ]|[\p{Script=Hiragana}\p{Script=Katakana}][あいうえおアイウエオ])ー+/gu;
/** "ゝ" and "ヽ" repeat a kana, "ゞ" and "ヾ" voice it. */
const REPEATED = /([\p{Script=Hiragana}\p{Script=Katakana}])([ゝゞヽヾ])/gu;
/** Loan words with "v". eSpeak NG spells many of them letter by letter, and most speakers say "b". */
const V = /[ヴゔ][ァィェォュぁぃぇぉゅ]?|[ヷ-ヺ]/gu;
const B: Readonly<Record<string, string>> = {
  ヴァ: 'バ',
  ヴィ: 'ビ',
  ヴェ: 'ベ',
  ヴォ: 'ボ',
  ヴュ: 'ビュ',
  ヷ: 'バ',
  ヸ: 'ビ',
  ヹ: 'ベ',
  ヺ: 'ボ',
};
/** "ッ" without effect: before a vowel, "y", "w", "ン" or another "ッ". */
const IDLE_STOP = /[っッ]+(?=[あいうえおゃやゅゆょよわゐゑをんアイウエオャヤュユョヨワヰヱヲンっッ])/gu;
const HIRAGANA_TO_KATAKANA = 0x60;
const VOICING = '\u3099';
/** Characters that eSpeak NG cannot read in Japanese, including dashes. */
const NAMELESS = /[ゝゞヽヾ゛゜゠ゟヿ〆\u3097-\u309a\u2010-\u2015\u2212]/gu;

/** Rewrites kana that eSpeak NG would announce as "Japanese letter" to kana with the same sound. */
export function toPlainKana(text: string): string {
  return text
    .replace(REPEATED, (_, kana: string, mark: string) => repeated(kana, mark))
    .replace(V, (kana) => B[toKatakana(kana)] ?? 'ブ')
    .replace(NAMELESS, ' ')
    .replace(LONE_SMALL, largeOf)
    .replace(IDLE_LENGTH, '')
    .replace(IDLE_STOP, '');
}

function largeOf(kana: string): string {
  return SINGLE[kana] ?? SMALL.find(([small]) => small === kana)?.[1] ?? kana;
}

function repeated(kana: string, mark: string): string {
  const isVoiced = mark === 'ゞ' || mark === 'ヾ';
  return `${kana}${isVoiced ? `${kana}${VOICING}`.normalize('NFC') : kana}`;
}

function toKatakana(kana: string): string {
  return kana.replace(/[ぁ-ゖ]/gu, (kana) => String.fromCharCode(kana.charCodeAt(0) + HIRAGANA_TO_KATAKANA));
}
