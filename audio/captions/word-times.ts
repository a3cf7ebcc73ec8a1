import type { Caption } from './caption.js';
import { alignedStarts, spokenWords } from './spoken-words.js';
import type { Token } from './tokens.js';

/** Letters that a pause at the end of a sentence or clause takes as long as, approximately. */
const PAUSES = [
  { end: /$(?<=[.!?…。！？]\P{L}*)/u, letters: 5 },
  { end: /$(?<=[,;:–—、，；：]\P{L}*)/u, letters: 2 },
];

/**
 * Returns the start of each token in seconds: the start of its first sound if the phonemes separate words. Otherwise each token
 * takes a share of the phonemes or, without phonemes, of the time.
 */
export function startTimes(tokens: readonly Token[], caption: Caption): number[] {
  const starts = phonemeStarts(caption);
  const words = starts && spokenWords(caption);
  const aligned = words && alignedStarts(tokens, words);
  if (aligned !== undefined) return aligned.map((time) => inside(time, caption));
  return sharedTimes(tokens, caption, starts);
}

function sharedTimes(
  tokens: readonly Token[],
  caption: Caption,
  starts: readonly number[] | undefined,
): number[] {
  const lengths = tokens.map((token) => lengthOf(token, starts === undefined));
  const total = lengths.reduce((sum, length) => sum + length, 0);
  let before = 0;
  return lengths.map((length) => {
    const share = before / total;
    before += length;
    return timeAt(share, caption, starts);
  });
}

/** Counts letters and digits. A pause takes time, but no phonemes. */
function lengthOf({ text }: Token, withPauses: boolean): number {
  const letters = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  const pause = withPauses ? PAUSES.find(({ end }) => end.test(text))?.letters : undefined;
  return Math.max(1, letters) + (pause ?? 0);
}

/** Returns the start times of the phonemes in the output, or undefined if they are unknown or outside the caption. */
function phonemeStarts({ phonemes, offset = 0, start, duration }: Caption): number[] | undefined {
  const starts = (phonemes?.start_times_seconds ?? []).map((time) => time + offset);
  const isInside = starts.every((time) => time >= start - TOLERANCE && time <= start + duration + TOLERANCE);
  return starts.length > 0 && isInside ? starts.toSorted((one, other) => one - other) : undefined;
}

/** Seconds. Services round times. */
const TOLERANCE = 0.1;

function timeAt(share: number, { start, duration }: Caption, starts: readonly number[] | undefined): number {
  const time = starts?.[Math.floor(share * starts.length)] ?? start + share * duration;
  return share === 0 ? start : inside(time, { start, duration });
}

const inside = (time: number, { start, duration }: Pick<Caption, 'start' | 'duration'>): number =>
  Math.min(start + duration, Math.max(start, time));
