import { MAX_TEXT_LENGTH } from '../interface/limits.js';
import { isSpeakable, type Span, trimSpan } from './characters.js';
import { type Chunk, type ChunkOptions, cutText } from './chunk.js';
import { eachCut, wholeSentences } from './cuts/cuts.js';
import { createSource, Rank } from './cuts/source.js';

/**
 * Cuts a text as `cutText` does, but each sentence and each paragraph becomes a separate chunk. A sentence longer than
 * `maxLength` is cut further. A sentence without a letter or digit, such as "…", joins the one before it if both fit.
 */
export function cutSentences(text: string, options: ChunkOptions = {}): Chunk[] {
  const { maxLength = MAX_TEXT_LENGTH } = options;
  const sentences: Span[] = [];
  for (const sentence of sentencesOf(text, { ...options, maxLength })) {
    const before = sentences.at(-1);
    const isSilent = !isSpeakable(text.slice(sentence.start, sentence.end));
    const joins = isSilent && before !== undefined && sentence.end - before.start <= maxLength;
    if (joins) sentences.splice(-1, 1, { start: before.start, end: sentence.end });
    else sentences.push(sentence);
  }
  return sentences.flatMap((sentence) => cutSpan(text, sentence, options));
}

/** Returns the sentences in order, without white space at their ends. */
function sentencesOf(text: string, options: Parameters<typeof createSource>[1]): Span[] {
  const whole = trimSpan(text, { start: 0, end: text.length });
  const sentences: Span[] = [];
  let { start } = whole;
  eachCut(createSource(text, options), whole, wholeSentences, (cut) => {
    if (cut.rank > Rank.sentence) return;
    sentences.push({ start, end: cut.end });
    ({ start } = cut);
  });
  if (start < whole.end) sentences.push({ start, end: whole.end });
  return sentences;
}

/** Cuts a part of a text. The offsets of the chunks refer to the whole text. */
export function cutSpan(text: string, { start, end }: Span, options: ChunkOptions): Chunk[] {
  const whole = options.whole?.flatMap((part) =>
    part.end <= start || part.start >= end
      ? []
      : { start: Math.max(start, part.start) - start, end: Math.min(end, part.end) - start },
  );
  return cutText(text.slice(start, end), { ...options, ...(whole && { whole }) }).map((chunk) => ({
    text: chunk.text,
    start: start + chunk.start,
    end: start + chunk.end,
  }));
}
