/**
 * Finds sentences that are hard to read, see docs/style.md. `npm run prose` reads the whole checkout,
 * `npm run prose -- FILE...` the given files, `npm run prose -- --all` lists hits below the limit as well.
 *
 * Prints hits per 1,000 words for each area. For an area over its limit, prints the sentences and exits with code 1.
 * A pattern is a hint: a correct sentence may match, so the limit is above 0.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { filesBelow } from './files.mjs';
import { proseOf } from './prose/read.mjs';
import { patterns } from './prose/patterns.mjs';

/**
 * @typedef {{index: number, place: string, sentence: string, reason: string, advice: string}} Hit
 * @typedef {{area: string, words: number, hits: Hit[], limit: number}} Report
 */

/** Hits per 1,000 words. */
const LIMIT = 1.5;

const FOLDERS = [
  '.ci',
  'audio',
  'bench',
  'browser',
  'client',
  'docs',
  'fleet',
  'nodes',
  'scripts',
  'service',
  'test',
];

/**
 * The area of a file by its path. The first match counts; files that match no row are not read.
 * @type {ReadonlyArray<readonly [area: string, file: RegExp]>}
 */
const AREAS = [
  ['help', /^nodes\/help\//],
  ['none', /^nodes\/locales\/runtime\.json$/],
  ['labels', /^nodes\/locales\/|(^|\/)locales\/en\.json$/],
  ['none', /(^|\/)locales\//],
  ['docs', /\.md$/],
  ['tests', /^test\/.*\.(ts|[cm]js)$/],
  ['code', /\.(ts|[cm]js)$/],
];

/** The end of a sentence, of a table cell, or of a piece of prose. */
const BOUNDARY = /(?<=[.!?])\s|[|·]|\n\s*\n/;

const { all, files } = readArguments(process.argv.slice(2));
const reports = areaReports(files);
for (const { area, words, hits, limit } of reports) {
  console.log(`${area.padEnd(7)}${rate(hits.length, words).toFixed(1).padStart(6)} (limit ${limit})`);
}
for (const { hits } of reports.filter((report) => all || isOver(report))) {
  for (const { place, sentence, reason, advice } of hits) {
    console.log(`\n${place}: ${reason}. ${advice}\n  ${sentence}`);
  }
}
if (reports.some(isOver)) {
  console.error('\nHard to read: rewrite the sentences above as docs/style.md describes.');
  process.exitCode = 1;
}

/** @param {readonly string[]} args */
function readArguments(args) {
  const given = args.filter((arg) => arg !== '--all');
  return { all: args.includes('--all'), files: given.length > 0 ? given : filesOfCheckout() };
}

function filesOfCheckout() {
  const top = readdirSync('.').filter((file) => file.endsWith('.md'));
  return [...top, ...FOLDERS.flatMap((folder) => filesBelow(folder).map((file) => `${folder}/${file}`))];
}

/**
 * Returns a report for each area that has files.
 * @param {readonly string[]} files
 */
function areaReports(files) {
  /** @type {Map<string, Report>} */
  const reports = new Map();
  for (const file of files) {
    const area = areaOf(file);
    if (area === 'none') continue;
    const report = reports.get(area) ?? { area, words: 0, hits: [], limit: LIMIT };
    const text = readFileSync(file, 'utf8');
    const prose = proseOf(path.extname(file), text);
    report.words += prose.match(/[\p{L}\p{N}][^\s·…]*/gu)?.length ?? 0;
    report.hits.push(...hitsIn(file, text, prose));
    reports.set(area, report);
  }
  return [...reports.values()];
}

/** @param {string} file */
function areaOf(file) {
  const relative = path.relative('.', file).replaceAll(path.sep, '/');
  return AREAS.find(([, pattern]) => pattern.test(relative))?.[0] ?? 'none';
}

/**
 * @param {string} file
 * @param {string} text
 * @param {string} prose
 * @returns {Hit[]}
 */
function hitsIn(file, text, prose) {
  return patterns
    .flatMap(({ pattern, reason, advice }) =>
      [...prose.matchAll(pattern)].map(({ index }) => ({
        index,
        place: `${file}:${prose.slice(0, index).split('\n').length}`,
        sentence: sentenceAt(text, prose, index),
        reason,
        advice,
      })),
    )
    .toSorted((one, other) => one.index - other.index);
}

/**
 * Returns the sentence around an offset, on one line.
 * @param {string} text
 * @param {string} prose
 * @param {number} index UTF-16 code units
 */
function sentenceAt(text, prose, index) {
  const before = prose.slice(0, index).split(BOUNDARY).at(-1) ?? '';
  const end = prose.slice(index).search(BOUNDARY);
  return text
    .slice(index - before.length, end < 0 ? undefined : index + end)
    .replaceAll(/\n\s*(?:\/\/|\*)?\s*/g, ' ')
    .trim();
}

/**
 * @param {number} count
 * @param {number} words
 */
function rate(count, words) {
  return (1000 * count) / Math.max(words, 1);
}

/** @param {Report} report */
function isOver({ words, hits, limit }) {
  return rate(hits.length, words) > limit;
}
