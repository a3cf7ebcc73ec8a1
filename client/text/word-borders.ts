import { lazy } from '../base/lazy.js';
import { boundaries, createSegmenter } from './boundaries.js';
import { unspaced } from './characters.js';

/** The places of a text where a word can start or end. */
export interface WordBorders {
  /** Returns whether a word can start at the UTF-16 offset `at`. */
  isStart(at: number): boolean;
  /** Returns whether a word can end at the UTF-16 offset `at`. A Korean particle may follow. */
  isEnd(at: number): boolean;
}

const LETTER = /[\p{L}\p{M}\p{N}]/u;
/** Extends the character before it. */
const MARK = /\p{M}/u;
const UNSPACED = new RegExp(`[${unspaced}]`, 'u');
const HANGUL = /\p{scx=Hangul}/u;

/** Korean particles and endings that follow a noun without a space, in a row of at most three. */
const PARTICLES =
  /(?:은|는|이|가|을|를|의|에|에서|에게|께|께서|한테|와|과|랑|이랑|도|만|로|으로|부터|까지|마다|처럼|보다|라고|이라고|라는|이라는|나|이나|요|이요|야|아|여|이여|다|이다|입니다|이에요|예요|인|들|님|씨){1,3}(?![\p{L}\p{M}\p{N}])/uy;

/**
 * Finds the borders of words. A border is a place where a letter, digit or mark meets another character, or a letter of
 * another script. Inside a script without spaces, the word segmenter of Unicode finds the borders.
 */
export function wordBorders(text: string, language: string | undefined): WordBorders {
  const segmented = lazy(
    () => new Set(boundaries(createSegmenter(language, 'word'), text, { start: 0, end: text.length })),
  );
  const isBorder = (at: number) => {
    if (MARK.test(characterAt(text, at))) return false;
    const before = scriptOf(characterBefore(text, at));
    if (before === undefined || before !== scriptOf(characterAt(text, at))) return true;
    return before === 'unspaced' && segmented().has(at);
  };
  return {
    isStart: isBorder,
    isEnd: (at) => isBorder(at) || (HANGUL.test(characterBefore(text, at)) && hasParticle(text, at)),
  };
}

function hasParticle(text: string, at: number): boolean {
  PARTICLES.lastIndex = at;
  return PARTICLES.test(text);
}

type Script = 'unspaced' | 'hangul' | 'spaced';

/** Returns undefined for a character that is not part of a word. */
function scriptOf(character: string): Script | undefined {
  if (!LETTER.test(character)) return undefined;
  if (UNSPACED.test(character)) return 'unspaced';
  return HANGUL.test(character) ? 'hangul' : 'spaced';
}

const characterAt = (text: string, at: number): string => String.fromCodePoint(text.codePointAt(at) ?? 0x20);

function characterBefore(text: string, at: number): string {
  const low = text.charCodeAt(at - 1);
  return characterAt(text, low >= 0xdc00 && low <= 0xdfff ? at - 2 : at - 1);
}
