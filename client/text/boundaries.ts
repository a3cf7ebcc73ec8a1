import type { Span } from './characters.js';

/** UTF-16 code units per segmenter call. Each step of `Intl.Segmenter` takes time proportional to the whole string. */
const windowSize = 1024;

/** UTF-16 code units. A boundary this close to the end of a window may move once more text follows. */
const lookahead = 64;

/** Creates a segmenter for `language`, a BCP 47 tag. An invalid tag counts as English. */
export function createSegmenter(
  language: string | undefined,
  granularity: 'sentence' | 'word' | 'grapheme',
): Intl.Segmenter {
  try {
    return new Intl.Segmenter(language ?? 'en', { granularity });
  } catch {
    return new Intl.Segmenter('en', { granularity });
  }
}

/** Letters of scripts without spaces. A dictionary finds their words, and reads all such letters in a row together. */
const inDictionary =
  /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/**
 * Yields the segmenter's boundaries strictly inside `span`, ascending, as UTF-16 offsets in `text`. Reads the text
 * through a window that starts at a boundary, so the total time is linear. The window grows only if one segment is
 * longer than the window.
 */
export function* boundaries(segmenter: Intl.Segmenter, text: string, span: Span): Generator<number> {
  let from = span.start;
  let last = span.start;
  let size = windowSize;
  while (from < span.end) {
    const to = Math.min(from + size, span.end);
    const limit = to === span.end ? to : to - lookahead;
    const before = last;
    let restart = from;
    for (const { index } of segmenter.segment(text.slice(from, to))) {
      const at = from + index;
      if (at > limit) break;
      if (!splitsRow(text, at)) restart = at;
      if (at <= last) continue;
      last = at;
      yield last;
      if (size > windowSize) break; // Scanning on in a grown window would take quadratic time.
    }
    if (to === span.end && (size === windowSize || last === before)) return;
    size = last === before ? size * 2 : windowSize;
    from = restart > from ? restart : last;
  }
}

/** Returns true if a boundary splits letters that the dictionary reads together: a window from here may differ. */
function splitsRow(text: string, at: number): boolean {
  return inDictionary.test(text.charAt(at - 1)) && inDictionary.test(text.charAt(at));
}
