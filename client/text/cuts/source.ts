import { createSegmenter } from '../boundaries.js';
import { isWhiteSpace, type Span } from '../characters.js';
import { type Context, findAddresses } from './guards.js';

/** How disturbing a cut sounds, from the best place to the worst. A rank is used only if no better cut is possible. */
export const Rank = {
  paragraph: 0,
  sentence: 1,
  clause: 2,
  word: 3,
  /** White space inside one unit: "Dr. Smith", "5 km", a phone number, a no-break space. */
  joint: 4,
  /** After a mark inside a token: a URL after a "/", a compound after its hyphen. */
  mark: 5,
  grapheme: 6,
  codePoint: 7,
} as const;
export type Rank = (typeof Rank)[keyof typeof Rank];

/** The text to cut, with the data that every cut needs. */
export interface Source {
  readonly text: string;
  readonly maxLength: number;
  /** The primary language subtag in lower case: "de" for "de-AT". */
  readonly language: string;
  readonly segmenters: Readonly<Record<'sentence' | 'word' | 'grapheme', Intl.Segmenter>>;
  readonly addresses: readonly Span[];
  /** Parts that fit into a chunk and must not be cut, in order. */
  readonly whole: readonly Span[];
}

/** Prepares `text` for cutting. `language` is a BCP 47 tag. */
export function createSource(
  text: string,
  { maxLength, language, whole = [] }: { maxLength: number; language?: string; whole?: readonly Span[] },
): Source {
  return {
    text,
    maxLength,
    language: String(language).split(/[-_]/)[0]?.toLowerCase() ?? '',
    segmenters: {
      sentence: createSegmenter(language, 'sentence'),
      word: createSegmenter(language, 'word'),
      grapheme: createSegmenter(language, 'grapheme'),
    },
    addresses: findAddresses(text),
    whole: whole.filter(({ start, end }) => end - start <= maxLength),
  };
}

/** A possible cut. The text before it ends at `end`, the text after it starts at `start`; white space lies between. */
export type Gap = Span;

/** Returns the gap at `position`, extended over the white space on both sides but not beyond `span`. */
export function gapAt({ text }: Source, span: Span, position: number): Gap {
  let [end, start] = [position, position];
  while (end > span.start && isWhiteSpace(text, end - 1)) end--;
  while (start < span.end && isWhiteSpace(text, start)) start++;
  return { end, start };
}

/** UTF-16 code units of context on each side of a gap. Abbreviations, numbers and units are shorter. */
const reach = 32;

/** Returns the text around `gap`. */
export const contextOf = ({ text }: Source, { end, start }: Gap): Context => ({
  left: text.slice(Math.max(0, end - reach), end),
  space: text.slice(end, start),
  right: text.slice(start, start + reach),
});
