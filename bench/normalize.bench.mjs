/**
 * Measures the processor time in which the service writes the figures of a sentence of 200 characters as words, in the slowest of its
 * languages, and of 100,000 characters of digits, dots and slashes. The baseline of the sentence is the same sentence without figures.
 * Measures first the memory of each language: its tables, its compiled rules and the words of the numbers below 1,000.
 */
import { createRequire } from 'node:module';
import process from 'node:process';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { log, median, report } from './support.mjs';

const require = createRequire(import.meta.url);
const {
  normalizedLanguages,
  normalizeText,
} = require('../service/dist/voices/engines/normalize/normalize-text.js');

const SENTENCE =
  'On 2026-11-21 at 14:30 it was 21.5 °C with wind of 12 km/h, the bill was 1,204.50 € (or $1,310), call 0800 123 456 or write to me@example.com; 3/4 of the 1984 seats were sold, 50 % of them in May.';
const FIGURES = '12.3/456/'.repeat(Math.ceil(100_000 / 9)).slice(0, 100_000);
const ROUNDS = 200;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');
const NUMBERS = Array.from({ length: 1000 }, (_, number) => `${number} km`).join(', ');

/** @returns {number} The memory of JavaScript in bytes, without garbage. */
function usedMemory() {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/**
 * @param {string} language
 * @returns {number} The memory in megabytes that the first texts in a language take.
 */
function memoryOf(language) {
  const before = usedMemory();
  normalizeText(SENTENCE, language);
  normalizeText(NUMBERS, language);
  return (usedMemory() - before) / 2 ** 20;
}

normalizeText(NUMBERS, 'none');
const memory = normalizedLanguages.map((language) => ({ language, size: memoryOf(language) }));

/**
 * @param {() => void} work
 * @param {number} rounds
 * @returns {number} median processor time in milliseconds
 */
function timeOf(work, rounds) {
  return median(
    Array.from({ length: rounds }, () => {
      const start = process.cpuUsage();
      work();
      const { user, system } = process.cpuUsage(start);
      return (user + system) / 1000;
    }),
  );
}

const times = normalizedLanguages.map((language) => {
  timeOf(() => normalizeText(SENTENCE, language), ROUNDS);
  return {
    language,
    sentence: timeOf(() => normalizeText(SENTENCE, language), ROUNDS),
    plain: timeOf(() => normalizeText(SENTENCE.replace(/\d/gu, 'a'), language), ROUNDS),
    figures: timeOf(() => normalizeText(FIGURES, language), 3),
  };
});
const slowest = times.reduce((worst, time) => (time.sentence > worst.sentence ? time : worst));
const largest = memory.reduce((worst, { language, size }) =>
  size > worst.size ? { language, size } : worst,
);
const longest = times.reduce((worst, time) => (time.figures > worst.figures ? time : worst));
log(
  `memory: ${largest.language} ${largest.size.toFixed(2)} MB; sentence: ${slowest.language} ${slowest.sentence.toFixed(2)} ms; figures: ${longest.language} ${longest.figures.toFixed(0)} ms`,
);
report({
  name: 'a sentence of 200 characters as words, slowest language',
  ratio: slowest.sentence / slowest.plain,
  baseline: 'the sentence without figures',
  value: slowest.sentence,
  unit: 'ms',
  bound: 1,
});
report({
  name: '100,000 characters of digits, dots and slashes as words, slowest language',
  ratio: longest.figures / slowest.sentence,
  baseline: 'a sentence of 200 characters',
  value: longest.figures,
  unit: 'ms',
  bound: 200,
});
report({
  name: 'memory of a language that writes figures as words, largest language',
  ratio: largest.size / median(memory.map(({ size }) => size)),
  baseline: 'the median of the languages',
  value: largest.size,
  unit: 'MB',
  bound: 5,
});
