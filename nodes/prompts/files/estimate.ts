import type { PromptFile } from './prompt-file.js';

/** Estimates the duration of a text in seconds. The language is an ISO 639-1 code, or undefined if unknown. */
export type Estimate = (text: string, language: string | undefined) => number;

/** Seconds per UTF-16 code unit. One character of these languages is a syllable or a word. */
const PACE: Readonly<Record<string, number>> = { ja: 0.14, ko: 0.15, zh: 0.22 };
const DEFAULT_PACE = 0.065;
/** Lengths of the imagined texts with the default pace. They count until there are enough files. */
const PRIOR = [10, 100];
/** Seconds of the shortest estimate. */
const SHORTEST = 0.3;

interface Sample {
  characters: number;
  seconds: number;
}

/**
 * Returns an estimate from the number of characters. Files that earlier runs made in the same language correct it: their line
 * of best fit contains the pace of the voices, and the silence and the chimes of each file.
 */
export function estimatorOf(files: readonly PromptFile[]): Estimate {
  const lines = new Map<string, (characters: number) => number>();
  return (text, language = '') => {
    const line = lines.get(language) ?? lineOf(files, language);
    lines.set(language, line);
    return Math.max(SHORTEST, line(lengthOf(text)));
  };
}

const lengthOf = (text: string): number => text.trim().length;

function lineOf(files: readonly PromptFile[], language: string): (characters: number) => number {
  const pace = PACE[language] ?? DEFAULT_PACE;
  const prior = PRIOR.map((characters) => ({ characters, seconds: characters * pace }));
  const made = files
    .filter((file) => language === '' || file.language === language)
    .map(({ text, seconds }) => ({ characters: lengthOf(text), seconds }));
  return bestFit([...prior, ...made]);
}

/** Returns the line of best fit, or the mean pace if longer texts would not need more time. */
function bestFit(samples: readonly Sample[]): (characters: number) => number {
  const characters = mean(samples.map((sample) => sample.characters));
  const seconds = mean(samples.map((sample) => sample.seconds));
  const spread = mean(samples.map((sample) => (sample.characters - characters) ** 2));
  const common = mean(samples.map((sample) => (sample.characters - characters) * (sample.seconds - seconds)));
  const slope = common / spread;
  if (slope <= 0) return (length) => (length * seconds) / characters;
  return (length) => seconds + slope * (length - characters);
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
