/** The kana of four rows of the syllabary, without small kana. */
const ROWS = { ka: 'カキクケコ', sa: 'サシスセソ', ta: 'タチツテト', pa: 'パピプペポ' };

/** Endings of number words that become a stop ("ッ"), and the sounds before which they do. */
const STOPS: ReadonlyArray<readonly [end: string, stopped: string, before: string]> = [
  ['イチ', 'イッ', ROWS.ka + ROWS.sa + ROWS.ta + ROWS.pa],
  ['ハチ', 'ハッ', ROWS.ka + ROWS.sa + ROWS.ta + ROWS.pa],
  ['ジュー', 'ジュッ', ROWS.ka + ROWS.sa + ROWS.ta + ROWS.pa],
  ['ロク', 'ロッ', ROWS.ka + ROWS.pa],
  ['ャク', 'ャッ', ROWS.ka + ROWS.pa],
];

/** Returns whether the ending of a number word can become a stop. */
export function canStop(number: string): boolean {
  return STOPS.some(([end]) => number.endsWith(end));
}

/** Joins a number word and a counter, both in katakana, with their sound change: イッカイ for イチ and カイ. */
export function joinCounter(number: string, counter: string): string {
  const initial = counter.charAt(0);
  const stop = STOPS.find(
    ([end, , before]) => number.endsWith(end) && initial !== '' && before.includes(initial),
  );
  if (stop === undefined) return `${number}${counter}`;
  const [end, stopped] = stop;
  return `${number.slice(0, -end.length)}${stopped}${counter}`;
}
