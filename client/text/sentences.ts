import { boundaries } from './boundaries.js';
import type { Span } from './characters.js';
import { type Context, endsInAbbreviation, endsInOrdinal, isInside } from './guards.js';
import { contextOf, type Gap, Rank, type Source } from './source.js';

/** Closing quotes and brackets left behind the white space after a stop, as in French "« Oui. » Puis". */
const strayClosers = /[\p{Pe}\p{Pf}"']+(?=\s|$)\s*/uy;

/** Where sentences may end, by Unicode rules (UAX #29), closing quotes taken along. */
export function* sentencePositions({ text, segmenters }: Source, span: Span): Generator<number> {
  for (const position of boundaries(segmenters.sentence, text, span)) {
    strayClosers.lastIndex = position;
    yield position + (strayClosers.exec(text)?.[0].length ?? 0);
  }
}

const newline = /\r\n|[\n\r\u2028]/g;
/** A line that stops in the middle of a sentence, and the line that goes on with it. */
const unfinished = /[\p{L}\p{N},;)\]'"’”—–-]$/u;
const startsLower = /^\p{Ll}/u;

/** How good a cut at `gap` is, or undefined where no sentence ends. */
export function rankSentence(source: Source, gap: Gap): Rank | undefined {
  const context = contextOf(source, gap);
  const lines = (context.space.match(newline) ?? []).length;
  if (lines > 1 || context.space.includes('\u2029')) return Rank.paragraph;
  if (isInside(source.addresses, gap.end) || endsInAbbreviation(context)) return undefined;
  if (lines === 1) return wrapsLine(context) ? undefined : Rank.paragraph;
  return continues(context, source.language) ? undefined : Rank.sentence;
}

const wrapsLine = ({ left, right }: Context): boolean => unfinished.test(left) && startsLower.test(right);

const endsQuote = /[.!?…][\p{Pe}\p{Pf}"'”’]+$/u;
const endsCornerQuote = /[。．！？!?…][」』]$/;
const quotes = /^(?:と|って)/;

/** Whether the sentence goes on after what looks like its end. */
function continues(context: Context, language: string): boolean {
  const { left, right, space } = context;
  if (endsInOrdinal(context, language)) return true;
  if (endsQuote.test(left) && startsLower.test(right)) return true;
  if (endsCornerQuote.test(left) && quotes.test(right)) return true;
  return space === '' && !endsWithoutSpace(left, right);
}

const asciiEnd = /[.!?][\p{Pe}\p{Pf}"']*$/u;
const plainEnd = /\p{L}[!?]+$/u;
/** Arabic and Hindi put a stop in their abbreviations, too: "د.محمد", "एम.ए.". */
const plainStop = /(?![\p{sc=Arabic}\p{sc=Devanagari}])\p{Lo}\.+$/u;

/** "好。他" ends a sentence without a space, "안녕!반가워" too; "v3.The", '"안녕."라고' and "a?b" do not. */
function endsWithoutSpace(left: string, right: string): boolean {
  if (!asciiEnd.test(left)) return true;
  if (plainEnd.test(left)) return /^[\p{Lu}\p{Lo}]/u.test(right);
  return plainStop.test(left) && /^\p{Lo}/u.test(right);
}
