import type { Phoneme } from '../engine.js';
import type { Mark } from './messages.js';

interface Sound {
  at: number;
  symbol: string;
}

/** Where eSpeak says that it goes on in another language, like `(en)`. */
const SWITCH = /\([a-z0-9-]+\)/g;
/** What eSpeak's IPA keeps here and there of its own names of sounds. */
const OWN_SIGNS = /[-?]/g;

/**
 * The sounds of one sentence without a gap, from its start to its end; `''` is silence.
 * @param marks In order.
 * @param seconds Length of the audio that they are about.
 */
export function phonemesOf(marks: readonly Mark[], seconds: number): Phoneme[] {
  const sounds = marks.flatMap((mark, index) => soundOf(mark, marks[index + 1]));
  const whole = sounds[0]?.at === 0 ? sounds : [{ at: 0, symbol: '' }, ...sounds];
  const distinct = whole.filter(({ symbol }, index) => symbol !== '' || whole[index - 1]?.symbol !== '');
  return distinct.map(({ at, symbol }, index) => {
    const start = Math.min(at, seconds);
    return { symbol, start, duration: Math.min(distinct[index + 1]?.at ?? seconds, seconds) - start };
  });
}

/** The sound that begins at a mark, unless it belongs to the one before. */
function soundOf({ at, symbol }: Mark, next: Mark | undefined): Sound[] {
  if (symbol === null) return [];
  const named = symbol.replace(SWITCH, '').replace(OWN_SIGNS, '');
  const isSwitch = named === '' && symbol !== '';
  // eSpeak also has nameless sounds within a word, like the passage to a trilled r.
  const isPassage = symbol === '' && isNamed(next);
  return isSwitch || isPassage ? [] : [{ at, symbol: named }];
}

function isNamed(mark: Mark | undefined): boolean {
  return mark !== undefined && mark.symbol !== null && mark.symbol !== '';
}

/** Whether there is a sound at all. */
export function isAudible(phonemes: readonly Phoneme[]): boolean {
  return phonemes.some(({ symbol }) => symbol !== '');
}
