import { boundaries } from './boundaries.js';
import { hasUnspacedScript, isSpeakable, type Span, touchesUnspaced } from './characters.js';
import { type Context, isInside, isJoined } from './guards.js';
import { contextOf, type Gap, Rank, type Source } from './source.js';

const spacedBreak = /\s+|\u200b+|[、，；：،؛]|(?<=\p{L})[–—]+(?=\p{L})/gu;

/** Where words may end: white space, and marks that need none; a dictionary's words where a script has no spaces. */
export function* wordPositions({ text, segmenters }: Source, span: Span): Generator<number> {
  const part = text.slice(span.start, span.end);
  if (hasUnspacedScript(part)) return yield* boundaries(segmenters.word, text, span);
  for (const { index, 0: found } of part.matchAll(spacedBreak)) yield span.start + index + found.length;
}

/** How good a cut at `gap` is inside a sentence, or undefined where a word, number or address goes on. */
export function rankWord(source: Source, gap: Gap): Rank | undefined {
  if (gap.end < gap.start) return rankSpaced(contextOf(source, gap));
  return isInside(source.addresses, gap.end) ? undefined : rankTight(contextOf(source, gap));
}

const breakingSpace = /[^\u00a0\u202f\ufeff]/;
const clauseEnd = /(?:[,;:،؛、，；：…]|(?:^|\s)[-–—]+)[\p{Pe}\p{Pf}"']*$/u;
const dashStart = /^[–—]/;
/** In these scripts a space is a pause, since words have none. */
const spacelessEnd = /[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]$/u;

function rankSpaced(context: Context): Rank {
  const { left, space, right } = context;
  if (!breakingSpace.test(space) || isJoined(context)) return Rank.joint;
  const pause = clauseEnd.test(left) || dashStart.test(right) || spacelessEnd.test(left);
  return pause || /[\n\r]/.test(space) ? Rank.clause : Rank.word;
}

const tightClause = /[、，；：،؛—–]$/;
const numberMark = /\p{Nd}[^\p{L}\p{Nd}]$/u;
const digitStart = /^\p{Nd}/u;
const digitEnd = /[\p{Nd}第]$/u;
/** What must not begin a line in Chinese and Japanese (JIS X 4051), so neither a chunk. */
const lineStartForbidden =
  /^[\p{Pe}\p{Pf}\p{Po}\p{Pd}ーぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶヽヾゝゞ々〜%％℃]/u;
const lineEndForbidden = /[\p{Ps}\p{Pi}]$/u;

function rankTight({ left, right }: Context): Rank | undefined {
  if (lineStartForbidden.test(right) || lineEndForbidden.test(left)) return undefined;
  if (numberMark.test(left) && digitStart.test(right)) return undefined;
  if (tightClause.test(left)) return Rank.clause;
  if (left.endsWith('\u200b')) return Rank.word;
  if (!touchesUnspaced(left, right)) return undefined;
  return digitEnd.test(left) ? Rank.joint : Rank.word;
}

/** After marks, but not between the digits of a number and not after the scheme of a URL. */
const tokenBreak = /[/\\?&=.,;:_@+~#|–—…\u00ad\u200b-]+(?<!:\/\/)(?<!\p{Nd}[.,:-](?=\p{Nd}))/gu;

/** Where a token that is longer than a chunk is cut first. */
export function* markPositions({ text }: Source, span: Span): Generator<number> {
  const part = text.slice(span.start, span.end);
  for (const { index, 0: found } of part.matchAll(tokenBreak)) yield span.start + index + found.length;
}

/** In these characters every one is a grapheme, and a long run of them needs no segmenter. */
const plain = /^[\x20-\x7e]*$/;

export const graphemePositions = (source: Source, span: Span): Iterable<number> =>
  plain.test(source.text.slice(span.start, span.end))
    ? codePointPositions(source, span)
    : boundaries(source.segmenters.grapheme, source.text, span);

/** A row of dots or emoji loses nothing where it is cut; a word does. */
export const graphemeRank = ({ text }: Source, span: Span): Rank =>
  isSpeakable(text.slice(span.start, span.end)) ? Rank.grapheme : Rank.clause;

export function* codePointPositions({ text }: Source, span: Span): Generator<number> {
  let position = span.start;
  for (const point of text.slice(span.start, span.end)) yield (position += point.length);
}
