import { abbreviations, numberAbbreviations, ordinalStopLanguages } from './abbreviations.js';
import { lazy } from '../../base/lazy.js';
import { type Span, unspaced } from '../characters.js';

/** The text around a possible cut: up to 32 UTF-16 code units on each side, and the white space between them. */
export interface Context {
  readonly left: string;
  readonly space: string;
  readonly right: string;
}

/** "e.g.", "z.B.", "U.S.", "Ph.D.", "a.m.", "कि.मी." */
const dotted = /^(?:(?:\p{L}\p{M}*){1,2}\.){2,}$/u;
const initial = /^\p{Lu}\.$/u;
const singleLetter = /^\p{L}\.$/u;
const startsWithSingleLetter = /^\p{L}\./u;
const afterSingleLetter = /(?:^|[^\p{L}\p{N}])\p{L}\.\s*\p{L}\.$/u;
/** "5 g.", "1968 г." */
const unitLetter = /\p{Nd}\s+\p{L}\.$/u;
const startsWithNumber = /^(?:[$€£¥#]?\p{Nd}|[IVXLC]+\b)/u;
const lastWord = /(?<![\p{L}\p{M}\p{N}.])[\p{L}\p{M}.º]+\.$/u;

/** Returns whether the full stop at the end of `left` belongs to an abbreviation or an initial. */
export function endsInAbbreviation({ left, right }: Context): boolean {
  const word = lastWord.exec(left)?.[0];
  if (word === undefined) return false;
  if (dotted.test(word) || initial.test(word)) return true;
  const stem = word.slice(0, -1).toLowerCase().normalize('NFC');
  if (abbreviations.has(stem)) return !unitLetter.test(left);
  if (numberAbbreviations.has(stem) && startsWithNumber.test(right)) return true;
  return singleLetter.test(word) && (startsWithSingleLetter.test(right) || afterSingleLetter.test(left));
}

const listMarker = /(?:^|[\n\r])[^\S\n\r]*\(?\p{Nd}{1,3}\.$/u;
const dayNumber = /(?:^|[\s(])\p{Nd}{1,2}\.$/u;
const month =
  /^(?:Januar|Jänner|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember)(?!\p{L})/u;

/** Returns whether the full stop at the end of `left` marks an ordinal number or a list item. */
export function endsInOrdinal({ left, right }: Context, language: string): boolean {
  if (listMarker.test(left)) return true;
  return dayNumber.test(left) && (ordinalStopLanguages.has(language) || month.test(right));
}

const unit =
  /^(?:[%‰°€$£¥₩₹₺₽₴₫]|(?:[kcmµn]?m|[mµk]?g|[mcd]?l|ha|[kMGT]i?B|[kMG]?Hz|[kMG]?Wh?|[kMG]bit|m?A|[kM]?V|mph|km\/h|m[²³]|km²|ft|in|lb|oz|mi|min|ms|s|h|hrs?|am|pm|[ap]\.\s?m\.|Uhr|Mio|Mrd|EUR|USD|GBP|CHF|JPY|KRW|percent|Prozent|million|billion|Euro|euros?|dollars?|points?|kr|zł|Kč|Ft|lei|лв|руб|грн|[кмс]?м|к?г|л|ч)(?![\p{L}\p{N}]))/u;
const endsWithDigit = /\p{Nd}\)?$/u;
const startsWithDigit = /^\(?[+-]?\p{Nd}/u;
const currency = /(?:[$€£¥₩₹#№§]|\b(?:EUR|USD|GBP|CHF))$/u;
const numberDash = /\p{Nd}\s*[-–—]$/u;
const dash = /^[-–—]+\s/;
/** Punctuation that follows a space, as in French, or stands alone. */
const looseMark = /^[.,!?;:%…»)\]}]+(?![\p{L}\p{N}])/u;
const opener = /(?:^|\s)[\p{Ps}\p{Pi}¿¡„]+$/u;

/** Abbreviations that belong to the preceding words, so that the text can be cut after them. */
const closing = /(?<!\p{L})(?:[ap]\.\s?m|etc|usw|ecc|enz|inc|ltd|jr|sr)\.$/iu;

/** Returns whether the white space is inside one unit: "Dr. Smith", "5 km", "+49 30 12", "oui !". */
export function isJoined(context: Context): boolean {
  const { left, right } = context;
  if (endsWithDigit.test(left) && (startsWithDigit.test(right) || unit.test(right))) return true;
  if (startsWithDigit.test(right) && (currency.test(left) || numberDash.test(left))) return true;
  if (dash.test(right) || looseMark.test(right) || opener.test(left)) return true;
  return (endsInAbbreviation(context) && !closing.test(left)) || dayNumber.test(left);
}

const addressStart = String.raw`(?<![a-z0-9])(?:[a-z][a-z0-9+-]{1,15}:\/\/|www\.|[a-z]:\\)`;
const emailStart = String.raw`(?<![\w.%+-])[\w.%+-]{1,64}@(?=[\w-]+\.)`;
const pathStart = String.raw`(?<![^\s"'(「『（、。])(?:~|\.{1,2})?\/(?=[\p{L}\p{N}._~-])`;
/** In scripts without spaces, an address continues in that script only after a mark: "/wiki/東京", but not "/を". */
const addressBody = String.raw`(?:[^\s<>"\p{Ps}\p{Pe}\p{Pi}\p{Pf}。、，！？；：${unspaced}]|(?<=[/=#_-])[\p{scx=Han}\p{scx=Katakana}]+)*`;
/**
 * URLs, e-mail addresses and paths, without trailing punctuation. Every part fails fast, so matching takes linear time. Built on
 * first use, because it would delay the start of Node-RED.
 */
const address = lazy(
  () =>
    new RegExp(
      `(?:${addressStart}|${emailStart}|${pathStart})${addressBody}(?<=[\\p{L}\\p{N}/\\\\=&#_~-])`,
      'giu',
    ),
);

/** Returns the positions of URLs, e-mail addresses and paths in `text`, in order. */
export const findAddresses = (text: string): Span[] =>
  Array.from(text.matchAll(address()), ({ index, 0: { length } }) => ({ start: index, end: index + length }));

/** Returns whether `offset` is strictly inside one of `spans`, which must be sorted. */
export function isInside(spans: readonly Span[], offset: number): boolean {
  let [low, high] = [0, spans.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((spans[middle]?.end ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return (spans[low]?.start ?? offset) < offset;
}
