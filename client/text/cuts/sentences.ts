import { boundaries } from '../boundaries.js';
import type { Span } from '../characters.js';
import { type Context, endsInAbbreviation, endsInOrdinal, isInside } from './guards.js';
import { contextOf, type Gap, Rank, type Source } from './source.js';

/** Closing quotes and brackets after the white space that follows a full stop, as in French "« Oui. » Puis". */
const strayClosers = /[\p{Pe}\p{Pf}"']+(?=\s|$)\s*/uy;

/** Yields the offsets where a sentence can end by UAX #29, moved behind closing quotes. */
export function* sentencePositions({ text, segmenters }: Source, span: Span): Generator<number> {
  for (const position of boundaries(segmenters.sentence, text, span)) {
    strayClosers.lastIndex = position;
    yield position + (strayClosers.exec(text)?.[0].length ?? 0);
  }
}

const newline = /\r\n|[\n\r\u2028]/g;
/** The end of a line that breaks off in the middle of a sentence. */
const unfinished = /[\p{L}\p{N},;)\]'"’”—–-]$/u;
const startsLower = /^\p{Ll}/u;
const startsItem = /^(?:[-*•–]|\d{1,3}[.)])\s/u;

/** Ranks a cut at `gap`. Returns undefined if no sentence ends there. */
export function rankSentence(source: Source, gap: Gap): Rank | undefined {
  const context = contextOf(source, gap);
  const lines = (context.space.match(newline) ?? []).length;
  if (lines > 1 || context.space.includes('\u2029')) return Rank.paragraph;
  if (isInside(source.addresses, gap.end) || endsInAbbreviation(context)) return undefined;
  if (lines === 1) return wrapsLine(context) ? undefined : Rank.paragraph;
  return continues(context, source.language) ? undefined : Rank.sentence;
}

function wrapsLine({ left, right }: Context): boolean {
  if (!unfinished.test(left)) return false;
  return startsLower.test(right) || !(endsQuote.test(left) || startsItem.test(right));
}

const endsQuote = /[.!?…][\p{Pe}\p{Pf}"'”’]+$/u;
const endsCornerQuote = /[。．！？!?…][」』]$/;
const quotes = /^(?:と|って)/;

/** Returns whether the sentence continues after an apparent end, such as an ordinal number or a quotation. */
function continues(context: Context, language: string): boolean {
  const { left, right, space } = context;
  if (endsInOrdinal(context, language)) return true;
  if (endsQuote.test(left) && startsLower.test(right)) return true;
  if (endsCornerQuote.test(left) && quotes.test(right)) return true;
  return space === '' && !endsWithoutSpace(left, right);
}

const asciiEnd = /[.!?][\p{Pe}\p{Pf}"']*$/u;
const plainEnd = /\p{L}[!?]+$/u;
/** Excludes Arabic and Hindi, which write abbreviations with full stops: "د.محمد", "एम.ए.". */
const plainStop = /(?![\p{sc=Arabic}\p{sc=Devanagari}])\p{Lo}\.+$/u;

/** Returns whether a sentence ends without a following space. True for "好。他" and "안녕!반가워", false for "v3.The", '"안녕."라고' and "a?b". */
function endsWithoutSpace(left: string, right: string): boolean {
  if (!asciiEnd.test(left)) return true;
  if (plainEnd.test(left)) return /^[\p{Lu}\p{Lo}]/u.test(right);
  return plainStop.test(left) && /^\p{Lo}/u.test(right);
}
