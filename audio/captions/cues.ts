import type { Caption } from './caption.js';
import { type Token, tokensOf } from './tokens.js';
import { startTimes } from './word-times.js';
import { widthOf } from './width.js';

/** A caption on the screen. Times in seconds. */
export interface Cue {
  start: number;
  end: number;
  /** One or two lines of at most 42 characters. A character of double width counts twice. */
  lines: string[];
}

/** Characters of a line. */
const MAX_WIDTH = 42;
/** Seconds. */
const MAX_SECONDS = 7;

/** The end of a sentence or of a clause. A cue that ends there is easier to read. */
const SENTENCE_END = /[.!?…。！？]["'”’»)\]」』]*$/u;
const CLAUSE_END = /[,;:–—、，；：]["'”’»)\]」』]*$/u;

/** A token and the time at which it starts, in seconds. */
interface Timed extends Token {
  start: number;
}

/** Creates the cues of spoken texts. Each text starts a new cue. */
export function cuesOf(captions: Iterable<Caption>): Cue[] {
  return Array.from(captions, cuesOfText).flat();
}

function cuesOfText(caption: Caption): Cue[] {
  const tokens = tokensOf(caption.text, MAX_WIDTH);
  const times = startTimes(tokens, caption);
  const end = caption.start + caption.duration;
  let rest: Timed[] = tokens.map((token, index) => ({ ...token, start: times[index] ?? end }));
  const cues: Cue[] = [];
  while (rest.length > 0) {
    const count = bestCount(rest, end);
    const taken = rest.slice(0, count);
    rest = rest.slice(count);
    const [{ start } = { start: end }] = taken;
    cues.push({
      start,
      end: Math.min(rest[0]?.start ?? end, start + MAX_SECONDS),
      lines: linesOf(taken) ?? [],
    });
  }
  return cues;
}

/** Returns the number of tokens for the next cue: as many as fit, or fewer if a sentence or clause ends there. */
function bestCount(tokens: readonly Timed[], end: number): number {
  const most = fittingCount(tokens, end);
  if (most === tokens.length) return most;
  const endsAfter = (pattern: RegExp, least: number): number | undefined => {
    for (let count = most; count >= least; count -= 1)
      if (pattern.test(tokens[count - 1]?.text ?? '')) return count;
    return undefined;
  };
  return endsAfter(SENTENCE_END, Math.ceil(most / 3)) ?? endsAfter(CLAUSE_END, Math.ceil(most / 2)) ?? most;
}

/** Returns the number of tokens that fit into two lines and seven seconds, at least one. */
function fittingCount(tokens: readonly Timed[], end: number): number {
  const [{ start } = { start: end }] = tokens;
  let count = 1;
  while (count < tokens.length) {
    const seconds = (tokens[count + 1]?.start ?? end) - start;
    if (seconds > MAX_SECONDS || linesOf(tokens.slice(0, count + 1)) === undefined) break;
    count += 1;
  }
  return count;
}

/** Returns the tokens as one line, or as two lines of similar width. Returns undefined if they do not fit. */
function linesOf(tokens: readonly Token[]): string[] | undefined {
  const whole = lineOf(tokens);
  if (widthOf(whole) <= MAX_WIDTH) return [whole];
  let best: string[] | undefined;
  for (let at = 1; at < tokens.length; at += 1) {
    const lines = [lineOf(tokens.slice(0, at)), lineOf(tokens.slice(at))];
    if (Math.max(...lines.map(widthOf)) <= MAX_WIDTH && rank(lines) < rank(best)) best = lines;
  }
  return best;
}

/** A line that ends with a clause counts as ten characters better. */
function rank(lines: readonly string[] | undefined): number {
  const [first, second] = lines ?? [];
  if (first === undefined || second === undefined) return Number.POSITIVE_INFINITY;
  const bonus = SENTENCE_END.test(first) || CLAUSE_END.test(first) ? 10 : 0;
  return Math.abs(widthOf(first) - widthOf(second)) - bonus;
}

function lineOf(tokens: readonly Token[]): string {
  return tokens.map(({ text, spaced }, index) => (spaced && index > 0 ? ` ${text}` : text)).join('');
}
