import type { Caption } from './caption.js';
import { type Token, tokensOf } from './tokens.js';
import { startTimes } from './word-times.js';

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

/** A line that ends with a clause counts as this many characters better. */
const CLAUSE_BONUS = 10;

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
  const end = caption.start + caption.duration;
  // Most announcements are one line, which needs no times of words.
  if (tokens.length > 0 && caption.duration <= MAX_SECONDS && bestBreak(tokens) === tokens.length)
    return [{ start: caption.start, end, lines: [lineOf(tokens)] }];
  const times = startTimes(tokens, caption);
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
      lines: linesOf(taken) ?? [lineOf(taken)],
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
    if (seconds > MAX_SECONDS || bestBreak(tokens.slice(0, count + 1)) === undefined) break;
    count += 1;
  }
  return count;
}

/** Returns the tokens as one line, or as two lines of similar width. Returns undefined if they do not fit. */
function linesOf(tokens: readonly Token[]): string[] | undefined {
  const at = bestBreak(tokens);
  if (at === undefined) return undefined;
  return [tokens.slice(0, at), tokens.slice(at)].filter((line) => line.length > 0).map(lineOf);
}

/** Returns the number of tokens in the first line, or undefined if two lines are not enough. */
function bestBreak(tokens: readonly Token[]): number | undefined {
  const total = tokens.reduce((sum, token) => sum + spacedWidth(token), 0);
  if (total - spaceBefore(tokens[0]) <= MAX_WIDTH) return tokens.length;
  let best: { at: number; rank: number } | undefined;
  let before = -spaceBefore(tokens[0]);
  for (const [index, token] of tokens.slice(0, -1).entries()) {
    before += spacedWidth(token);
    const after = total - spaceBefore(tokens[0]) - before - spaceBefore(tokens[index + 1]);
    if (Math.max(before, after) > MAX_WIDTH) continue;
    const rank = Math.abs(before - after) - (endsClause(token.text) ? CLAUSE_BONUS : 0);
    if (best === undefined || rank < best.rank) best = { at: index + 1, rank };
  }
  return best?.at;
}

const spaceBefore = (token: Token | undefined): number => (token?.spaced === true ? 1 : 0);

const spacedWidth = (token: Token): number => token.width + spaceBefore(token);

const endsClause = (text: string): boolean => SENTENCE_END.test(text) || CLAUSE_END.test(text);

function lineOf(tokens: readonly Token[]): string {
  return tokens.map(({ text, spaced }, index) => (spaced && index > 0 ? ` ${text}` : text)).join('');
}
