type Rewriting = readonly [pattern: RegExp, words: string | ((match: string, ...groups: string[]) => string)];

/** Signs that eSpeak NG would name in English. */
const WORDS: Readonly<Record<string, string>> = {
  '%': 'パーセント',
  '&': 'アンド',
  '@': 'アットマーク',
  '+': 'プラス',
  '=': 'イコール',
  '#': 'シャープ',
};

/** The replacements in order. A later one can depend on the result of an earlier one. */
const rewritings: readonly Rewriting[] = [
  [/(?<!\d)110番/gu, 'ヒャクトー番'],
  // IPADIC lacks the era since 2019.
  [/令和/gu, 'れいわ'],
  [/([1一]日)中/gu, '$1じゅう'],
  // IPADIC contains "お話" including its し, and reads a second し here.
  [/お話し(?=くだ|下|す|し|いた|頂)/gu, 'おはなし'],
  [/Wi-?Fi/giu, 'ワイファイ'],
  [/Bluetooth/giu, 'ブルートゥース'],
  [/[%&@+=#]/gu, (sign) => WORDS[sign] ?? sign],
];

/** Replaces the signs that stand beside no figure by words, and words that the dictionary reads wrongly by kana. */
export function expandSigns(text: string): string {
  // Two calls, because no signature of `replace` accepts a string or a function.
  return rewritings.reduce(
    (text, [pattern, words]) =>
      typeof words === 'string' ? text.replace(pattern, words) : text.replace(pattern, words),
    text,
  );
}
