import type { Span } from './characters.js';

/** Characters given to a segmenter at once: its every step costs time in proportion to the whole string. */
const windowSize = 1024;

/** A boundary nearer than this to a window's end may still move when the text goes on. */
const lookahead = 64;

/** A segmenter for `language`; a code that is no language tag reads as English. */
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

/**
 * The segmenter's boundaries strictly inside `span`, ascending, as offsets in `text`. Reads the text through a
 * window that starts at a boundary, so that the time stays linear; the window grows only for one long segment.
 */
export function* boundaries(segmenter: Intl.Segmenter, text: string, span: Span): Generator<number> {
  let from = span.start;
  let size = windowSize;
  while (from < span.end) {
    const to = Math.min(from + size, span.end);
    const limit = to === span.end ? to : to - lookahead;
    let last = from;
    for (const { index } of segmenter.segment(text.slice(from, to))) {
      if (from + index > limit) break;
      if (index === 0) continue;
      last = from + index;
      yield last;
      if (size > windowSize) break; // a grown window is dear to walk through
    }
    if (to === span.end && (size === windowSize || last === from)) return;
    size = last === from ? size * 2 : windowSize;
    from = last;
  }
}
