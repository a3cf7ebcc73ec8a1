import type { Caption } from './caption.js';
import type { Token } from './tokens.js';

/*
 * Finds the words of a text in the phonemes of a natural voice. The symbol ' ' separates two words there, and '' is a pause. A
 * voice may join words ("of the"), and speaks a number as several words.
 */

/** The sounds of a word as the voice spoke it. */
export interface SpokenWord {
  /** Start of each sound in seconds of the output. */
  starts: number[];
  /** Whether a pause follows. */
  isLast: boolean;
}

const GAP = ' ';
const PAUSE = '';

/** Returns the spoken words in order, or undefined if the phonemes do not separate words. */
export function spokenWords({ phonemes, offset = 0 }: Caption): SpokenWord[] | undefined {
  if (phonemes?.symbols.includes(GAP) !== true) return undefined;
  const words: SpokenWord[] = [];
  let isInside = false;
  for (const [place, symbol] of phonemes.symbols.entries()) {
    const last = words.at(-1);
    const start = (phonemes.start_times_seconds[place] ?? 0) + offset;
    const isSound = symbol !== GAP && symbol !== PAUSE;
    if (symbol === PAUSE && last !== undefined) last.isLast = true;
    if (isSound && isInside) last?.starts.push(start);
    else if (isSound) words.push({ starts: [start], isLast: false });
    isInside = isSound;
  }
  return words;
}

/** Tokens that the voice may join to one word, and words that it may speak for one token, such as a number. */
const MAX_JOINED = 4;
const MAX_SPLIT = 16;
/** The most pairs to compare. A longer text has no times of words. */
const MAX_PAIRS = 100_000;
/** Costs in sounds. The length of a number or sign in sounds is a guess, and the voice may leave out a sign. */
const COST = { extra: 2, unspoken: 12, unspokenSign: 2, pause: 4, joinedSign: 8 };
const SIGN_WEIGHT = 0.3;
/** Sounds of a digit or of a sign that is read as a word. */
const SIGN_SOUNDS = 4;

const CLAUSE_END = /[.!?…,;:–—。！？、，；：]["'”’»)\]」』]*$/u;

interface Step {
  /** Of all steps so far. */
  cost: number;
  /** Readings and words of this step. */
  readings: number;
  words: number;
}

/** A token with sounds. */
interface Reading {
  /** Approximate number of its sounds. */
  sounds: number;
  /** Whether it contains a digit or a sign that is read as a word. */
  hasSign: boolean;
  endsClause: boolean;
}

/**
 * Returns the start of each token in seconds: the cheapest assignment in order, in which tokens and words have similar lengths, and
 * clauses end at pauses. A token without sounds, such as a dash, starts with the next one. Undefined for a text that is too long.
 */
export function alignedStarts(tokens: readonly Token[], words: readonly SpokenWord[]): number[] | undefined {
  const sounds = tokens.map(({ text }) => soundsOf(text));
  const readings = tokens.flatMap(({ text }, place): Reading[] => {
    if (sounds[place] === 0) return [];
    const dash = sounds[place + 1] === 0 ? (tokens[place + 1]?.text ?? '') : '';
    const hasSign = /[^\p{L}\p{M}\p{P}]/u.test(text);
    return [{ sounds: sounds[place] ?? 0, hasSign, endsClause: CLAUSE_END.test(text + dash) }];
  });
  if (words.length === 0 || readings.length * words.length > MAX_PAIRS) return undefined;
  const starts = startsOf(readings, words);
  const last = words.at(-1)?.starts.at(-1) ?? 0;
  let next = starts?.length ?? 0;
  return (
    starts &&
    sounds
      .toReversed()
      .map((count) => starts[count === 0 ? next : --next] ?? last)
      .toReversed()
  );
}

function startsOf(readings: readonly Reading[], words: readonly SpokenWord[]): number[] | undefined {
  const best = assignment(readings, words);
  const starts: number[] = [];
  let [reading, word] = [readings.length, words.length];
  while (reading > 0) {
    const step = best[reading]?.[word];
    if (step === undefined) return undefined;
    const [from, first] = [reading - step.readings, word - step.words];
    starts.unshift(...startsIn(readings.slice(from, reading), words, first, word));
    [reading, word] = [from, first];
  }
  return starts;
}

/** Returns the last step of the cheapest way to cover the first readings with the first words, for each number of both. */
function assignment(readings: readonly Reading[], words: readonly SpokenWord[]): (Step | undefined)[][] {
  const costOf = costs(readings, words);
  const best: (Step | undefined)[][] = [[{ cost: 0, readings: 0, words: 0 }]];
  for (let reading = 1; reading <= readings.length; reading++) {
    const row: (Step | undefined)[] = [];
    for (let word = 0; word <= words.length; word++) {
      for (const [joined, split] of SHAPES) {
        const before = best[reading - joined]?.[word - split];
        if (before === undefined) continue;
        const cost =
          before.cost + costOf(readings.slice(reading - joined, reading), words.slice(word - split, word));
        if (cost < (row[word]?.cost ?? Infinity)) row[word] = { cost, readings: joined, words: split };
      }
    }
    best.push(row);
  }
  return best;
}

/** Numbers of readings and words that belong together. */
const SHAPES: ReadonlyArray<readonly [readings: number, words: number]> = [
  [1, 0],
  ...Array.from({ length: MAX_SPLIT }, (_, index) => [1, index + 1] as const),
  ...Array.from({ length: MAX_JOINED - 1 }, (_, index) => [index + 2, 1] as const),
];

/** Returns a function for the cost of readings that belong to words. */
function costs(allReadings: readonly Reading[], allWords: readonly SpokenWord[]) {
  const scale = spokenSounds(allWords) / sumOf(allReadings);
  return (readings: readonly Reading[], words: readonly SpokenWord[]): number => {
    const hasSign = readings.some((reading) => reading.hasSign);
    const expected = sumOf(readings) * scale;
    if (words.length === 0) return hasSign ? COST.unspokenSign : COST.unspoken + expected;
    const joined = readings.length - 1;
    const split = hasSign ? 0 : words.length - 1;
    const inner = [
      ...readings.slice(0, -1).map(({ endsClause }) => endsClause),
      ...words.slice(0, -1).map(({ isLast }) => isLast),
    ];
    const isUnequal = readings.at(-1)?.endsClause !== words.at(-1)?.isLast;
    return (
      Math.abs(expected - spokenSounds(words)) * (hasSign ? SIGN_WEIGHT : 1) +
      COST.extra * (joined + split) +
      (hasSign ? COST.joinedSign * joined : 0) +
      COST.pause * (inner.filter(Boolean).length + (isUnequal ? 1 : 0))
    );
  };
}

const sumOf = (readings: readonly Reading[]): number => readings.reduce((sum, { sounds }) => sum + sounds, 0);

const spokenSounds = (words: readonly SpokenWord[]): number =>
  words.reduce((sum, { starts }) => sum + starts.length, 0);

/** Counts letters. A digit or a sign that is not punctuation is read as a word. */
function soundsOf(text: string): number {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const signs = text.match(/[^\p{L}\p{M}\p{P}\p{C}\s]/gu)?.length ?? 0;
  return letters + SIGN_SOUNDS * signs;
}

/** Returns the starts of readings that belong to words. Joined ones share the sounds of their word by their letters. */
function startsIn(
  readings: readonly Reading[],
  words: readonly SpokenWord[],
  first: number,
  end: number,
): number[] {
  // A reading without a word starts with the next one.
  const starts = words.slice(first, Math.max(end, first + 1)).flatMap((word) => word.starts);
  const total = sumOf(readings);
  let before = 0;
  return readings.map(({ sounds }) => {
    const place = Math.min(starts.length - 1, Math.round((before / total) * starts.length));
    before += sounds;
    return starts[place] ?? words.at(-1)?.starts.at(-1) ?? 0;
  });
}
