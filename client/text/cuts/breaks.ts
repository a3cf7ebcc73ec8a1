import { boundaries } from '../boundaries.js';
import { hasUnspacedScript, isSpeakable, type Span, touchesUnspaced } from '../characters.js';
import { type Context, isInside, isJoined } from './guards.js';
import { contextOf, type Gap, Rank, type Source } from './source.js';

const spacedBreak = /\s+|\u200b+|[、，；：،؛]|(?<=\p{L})[–—]+(?=\p{L})/gu;

/** Yields the offsets where a word can end: after white space and certain marks. Texts in scripts without spaces use the dictionary of `Intl.Segmenter`. */
export function* wordPositions({ text, segmenters }: Source, span: Span): Generator<number> {
  const part = text.slice(span.start, span.end);
  if (hasUnspacedScript(part)) return yield* boundaries(segmenters.word, text, span);
  for (const { index, 0: found } of part.matchAll(spacedBreak)) yield span.start + index + found.length;
}

/** Ranks a cut at `gap` inside a sentence. Returns undefined if the cut would split a word, a number or an address. */
export function rankWord(source: Source, gap: Gap): Rank | undefined {
  if (gap.end < gap.start) return rankSpaced(contextOf(source, gap));
  return isInside(source.addresses, gap.end) ? undefined : rankTight(contextOf(source, gap));
}

const breakingSpace = /[^\u00a0\u202f\ufeff]/;
const clauseEnd = /(?:[,;:،؛、，；：…]|(?:^|\s)[-–—]+)[\p{Pe}\p{Pf}"']*$/u;
const dashStart = /^[–—]/;
/** These scripts put no spaces between words, so a space marks a pause. */
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
/** Characters that must not begin a line in Chinese and Japanese (JIS X 4051), and so must not begin a chunk. */
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

/** Marks after which a token can be cut. Excludes marks between the digits of a number and the `://` of a URL. */
const tokenBreak = /[/\\?&=.,;:_@+~#|–—…\u00ad\u200b-]+(?<!:\/\/)(?<!\p{Nd}[.,:-](?=\p{Nd}))/gu;

/** Yields the preferred cut offsets inside a token that is longer than a chunk: after its marks. */
export function* markPositions({ text }: Source, span: Span): Generator<number> {
  const part = text.slice(span.start, span.end);
  for (const { index, 0: found } of part.matchAll(tokenBreak)) yield span.start + index + found.length;
}

/** Text in which every character is one grapheme, so that no segmenter is needed. */
const plain = /^[\x20-\x7e]*$/;

/** Yields the offsets between graphemes inside `span`. */
export const graphemePositions = (source: Source, span: Span): Iterable<number> =>
  plain.test(source.text.slice(span.start, span.end))
    ? codePointPositions(source, span)
    : boundaries(source.segmenters.grapheme, source.text, span);

/** Ranks cuts between graphemes. Cutting a row of dots or emoji costs no more than cutting after a clause. */
export const graphemeRank = ({ text }: Source, span: Span): Rank =>
  isSpeakable(text.slice(span.start, span.end)) ? Rank.grapheme : Rank.clause;

/** Yields the offset after each code point of `span`, the last resort. */
export function* codePointPositions({ text }: Source, span: Span): Generator<number> {
  let position = span.start;
  for (const point of text.slice(span.start, span.end)) yield (position += point.length);
}
