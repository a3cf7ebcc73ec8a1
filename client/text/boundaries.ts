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

/**
 * Yields the segmenter's boundaries strictly inside `span`, ascending, as UTF-16 offsets in `text`. Reads the text
 * through a window that starts at a boundary, so the total time is linear. The window grows only if one segment is
 * longer than the window.
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
      if (size > windowSize) break; // Scanning on in a grown window would take quadratic time.
    }
    if (to === span.end && (size === windowSize || last === from)) return;
    size = last === from ? size * 2 : windowSize;
    from = last;
  }
}
