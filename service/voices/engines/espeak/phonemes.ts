import type { Phoneme } from '../engine.js';
import type { EspeakMark } from './messages.js';

interface Sound {
  at: number;
  symbol: string;
}

/** eSpeak's mark of a change of language, such as `(en)`. */
const SWITCH = /\([a-z0-9-]+\)/g;
/** Remains of eSpeak's own sound names in its IPA symbols. */
const OWN_SIGNS = /[-?]/g;

/**
 * Converts marks to the phonemes of a sentence, without gaps from its start to its end. `''` is silence.
 * @param marks In the order of their times.
 * @param seconds Length of the audio.
 */
export function phonemesOfMarks(marks: readonly EspeakMark[], seconds: number): Phoneme[] {
  const sounds = marks.flatMap((mark, index) => soundOf(mark, marks[index + 1]));
  const whole = sounds[0]?.at === 0 ? sounds : [{ at: 0, symbol: '' }, ...sounds];
  const distinct = whole.filter(({ symbol }, index) => symbol !== '' || whole[index - 1]?.symbol !== '');
  return distinct.map(({ at, symbol }, index) => {
    const start = Math.min(at, seconds);
    return { symbol, start, duration: Math.min(distinct[index + 1]?.at ?? seconds, seconds) - start };
  });
}

/** Returns the sound that starts at a mark, or nothing if the mark belongs to the sound before. */
function soundOf({ at, symbol }: EspeakMark, next: EspeakMark | undefined): Sound[] {
  if (symbol === null) return [];
  const named = symbol.replace(SWITCH, '').replace(OWN_SIGNS, '');
  const isSwitch = named === '' && symbol !== '';
  // eSpeak also marks nameless sounds inside a word, such as the transition to a trilled r.
  const isTransition = symbol === '' && isNamed(next);
  return isSwitch || isTransition ? [] : [{ at, symbol: named }];
}

function isNamed(mark: EspeakMark | undefined): boolean {
  return mark !== undefined && mark.symbol !== null && mark.symbol !== '';
}

/** Whether any phoneme is a sound. */
export function isAudible(phonemes: readonly Phoneme[]): boolean {
  return phonemes.some(({ symbol }) => symbol !== '');
}
