/** Small kana as large ones, and the kana that they make one syllable with, as "ァ" does in "ファ". */
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
/** These make a syllable with no other. */
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
/** "ー" that makes no vowel long: after another one, no kana, no vowel, or a vowel of its own, often long already. */
const IDLE_LENGTH =
  /(?<![\p{Script=Hiragana}\p{Script=Katakana}])ー+|(?<=[ーんンっッ]|[\p{Script=Hiragana}\p{Script=Katakana}][あいうえおアイウエオ])ー+/gu;
/** "ゝ" and "ヽ" repeat a kana, "ゞ" and "ヾ" voice it. */
const REPEATED = /([\p{Script=Hiragana}\p{Script=Katakana}])([ゝゞヽヾ])/gu;
/** Loan words with "v": eSpeak spells many of them, and most speakers say "b". */
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
/** "ッ" before what can't be held: a vowel, "y", "w", "ン" or another "ッ". */
const IDLE_STOP = /[っッ]+(?=[あいうえおゃやゅゆょよわゐゑをんアイウエオャヤュユョヨワヰヱヲンっッ])/gu;
const HIRAGANA_TO_KATAKANA = 0x60;
const VOICING = '\u3099';
/** Dashes among them: the range begins with the hyphen that is one character of its own. */
const NAMELESS = /[ゝゞヽヾ゛゜゠ゟヿ〆\u3097-\u309a\u2010-\u2015\u2212]/gu;

/** Kana without the spellings that eSpeak names as "Japanese letter", spelled as they sound. */
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
