/** Kana that each row of the syllabary begins with, beside small ones. */
const ROWS = { ka: 'カキクケコ', sa: 'サシスセソ', ta: 'タチツテト', pa: 'パピプペポ' };

/** Ends of number words that turn into a stop ("ッ"), and the sounds that they do so before. */
const STOPS: ReadonlyArray<readonly [end: string, stopped: string, before: string]> = [
  ['イチ', 'イッ', ROWS.ka + ROWS.sa + ROWS.ta + ROWS.pa],
  ['ハチ', 'ハッ', ROWS.ka + ROWS.sa + ROWS.ta + ROWS.pa],
  ['ジュー', 'ジュッ', ROWS.ka + ROWS.sa + ROWS.ta + ROWS.pa],
  ['ロク', 'ロッ', ROWS.ka + ROWS.pa],
  ['ャク', 'ャッ', ROWS.ka + ROWS.pa],
];

/** Whether a number word ends in what some sounds turn into a stop. */
export function canStop(number: string): boolean {
  return STOPS.some(([end]) => number.endsWith(end));
}

/** A number word and what is counted, both in katakana, as they sound together: イチ and カイ are イッカイ. */
export function joined(number: string, counter: string): string {
  const initial = counter.charAt(0);
  const stop = STOPS.find(
    ([end, , before]) => number.endsWith(end) && initial !== '' && before.includes(initial),
  );
  if (stop === undefined) return `${number}${counter}`;
  const [end, stopped] = stop;
  return `${number.slice(0, -end.length)}${stopped}${counter}`;
}
