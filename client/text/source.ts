import { createSegmenter } from './boundaries.js';
import { isWhiteSpace, type Span } from './characters.js';
import { type Context, findAddresses } from './guards.js';

/** What a cut costs the ear, best first. A cut of a rank is considered only where nothing better will do. */
export const Rank = {
  paragraph: 0,
  sentence: 1,
  clause: 2,
  word: 3,
  /** White space inside one thing: "Dr. Smith", "5 km", a phone number, a no-break space. */
  joint: 4,
  /** Inside a token, after a mark: a URL after its "/", a compound after its hyphen. */
  mark: 5,
  grapheme: 6,
  codePoint: 7,
} as const;
export type Rank = (typeof Rank)[keyof typeof Rank];

/** The text to cut and what is looked up in it again and again. */
export interface Source {
  readonly text: string;
  readonly maxLength: number;
  /** The primary subtag, lower case: "de" of "de-AT". */
  readonly language: string;
  readonly segmenters: Readonly<Record<'sentence' | 'word' | 'grapheme', Intl.Segmenter>>;
  readonly addresses: readonly Span[];
}

export function createSource(text: string, maxLength: number, language: string | undefined): Source {
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
  };
}

/** A possible cut: what comes before ends at `end`, what comes after begins at `start`, white space is between. */
export type Gap = Span;

/** The gap at `position`, widened over the white space on both sides but not beyond `span`. */
export function gapAt({ text }: Source, span: Span, position: number): Gap {
  let [end, start] = [position, position];
  while (end > span.start && isWhiteSpace(text, end - 1)) end--;
  while (start < span.end && isWhiteSpace(text, start)) start++;
  return { end, start };
}

/** Characters looked at on either side of a gap; abbreviations, numbers and units are shorter. */
const reach = 32;

export const contextOf = ({ text }: Source, { end, start }: Gap): Context => ({
  left: text.slice(Math.max(0, end - reach), end),
  space: text.slice(end, start),
  right: text.slice(start, start + reach),
});
