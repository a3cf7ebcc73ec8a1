/**
 * Measures the processor time in which the service writes the figures of a sentence of 200 characters as words, in the slowest of its
 * languages, and of 100,000 characters of digits, dots and slashes. The baseline of the sentence is the same sentence without figures.
 */
import { createRequire } from 'node:module';
import process from 'node:process';
import { log, median, report } from './support.mjs';

const require = createRequire(import.meta.url);
const {
  normalizedLanguages,
  normalizeText,
} = require('../service/dist/voices/engines/normalize/normalize-text.js');

const SENTENCE =
  'On 2026-11-21 at 14:30 it was 21.5 °C with wind of 12 km/h, the bill was 1,204.50 € (or $1,310), call 0800 123 456 or write to me@example.com; 3/4 of the 1984 seats were sold, 50 % of them in May.';
const FIGURES = '12.3/456/'.repeat(Math.ceil(100_000 / 9)).slice(0, 100_000);
const ROUNDS = 50;

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
const longest = times.reduce((worst, time) => (time.figures > worst.figures ? time : worst));
log(
  `sentence: ${slowest.language} ${slowest.sentence.toFixed(2)} ms; figures: ${longest.language} ${longest.figures.toFixed(0)} ms`,
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
