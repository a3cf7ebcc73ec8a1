import { spellOut } from '../../spell-out.js';

export const sino = (value: number) => spellOut('ko', '%spellout-cardinal-sinokorean', value);
export const native = (value: number) => spellOut('ko', '%spellout-cardinal-native-attributive', value);

/** Digits of a code or a telephone number. */
export const spelled = (digits: string) =>
  Array.from(digits, (digit) => (digit === '0' ? '공' : sino(Number(digit)))).join('');

/** June and October lose the end of their number. */
export function monthName(month: number): string {
  if (month === 6) return '유월';
  return month === 10 ? '시월' : `${sino(month)}월`;
}

/** Up to twelve native words; the 24-hour clock has Sino-Korean ones. */
export function hourWord(hour: number): string {
  return hour >= 1 && hour <= 12 ? native(hour) : sino(hour);
}

const HANGUL = 0xac00;
const FINALS = 28;

/** Returns whether the last syllable ends in a consonant. Particles depend on it. */
export function endsInConsonant(word: string): boolean {
  return ((word.codePointAt(word.length - 1) ?? HANGUL) - HANGUL) % FINALS > 0;
}
