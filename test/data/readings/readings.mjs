import fs from 'node:fs';
import path from 'node:path';

/**
 * A sentence with its accepted readings. `region` is a language tag, or undefined if the readings apply to all regions.
 * @typedef {{ language: string, region: string | undefined, class: string, source: string, written: string, spoken: string[] }} Reading
 */

/** Returns the languages with a file. */
export function languages() {
  const files = fs.readdirSync(import.meta.dirname);
  return files.filter((file) => file.endsWith('.tsv')).map((file) => path.basename(file, '.tsv'));
}

/**
 * Returns the sentences of a language, in the order of the file.
 * @param {string} language
 * @returns {Reading[]}
 * @throws {Error} if a line is neither the start of a group nor a sentence with a reading
 */
export function readings(language) {
  const lines = fs.readFileSync(path.join(import.meta.dirname, `${language}.tsv`), 'utf8').split('\n');
  /** @type {Omit<Reading, 'written' | 'spoken'> | undefined} */
  let group;
  return lines.filter(Boolean).flatMap((line) => {
    const [start, name = '', region, source = ''] =
      /^# ([a-z]+)(?: ([a-z]{2}-[A-Z]{2}))?: (.+)$/.exec(line) ?? [];
    if (start) {
      group = { language, region, class: name, source };
      return [];
    }
    const [written = '', ...spoken] = line.split('\t');
    if (!group || !written || !spoken.length)
      throw new Error(`${language}.tsv, "${line}": no group or reading`);
    return [{ ...group, written, spoken: spoken.flatMap(alternatives).map(oneSpace) }];
  });
}

/**
 * Returns the readings that a reading with braces stands for, the preferred one first.
 * @param {string} reading
 * @returns {string[]}
 */
export function alternatives(reading) {
  const [, before, choices, after] = /^([^{}]*)\{([^{}]*)\}(.*)$/.exec(reading) ?? [];
  if (choices === undefined) return [reading];
  const ends = alternatives(after ?? '');
  return choices.split('|').flatMap((choice) => ends.map((end) => before + choice + end));
}

/** @param {string} text */
const oneSpace = (text) => text.replaceAll(/ {2,}/g, ' ').trim();

/**
 * Returns the letters and digits of a text in lower case. Optional signs do not count: Russian ё is е, Hindi chandrabindu is
 * anusvara, and Hindi nukta and Arabic vowel signs are left out.
 * @param {string} text
 */
export function words(text) {
  const plain = text.normalize('NFC').toLowerCase().replaceAll('ё', 'е').replaceAll('\u0901', '\u0902');
  return plain
    .replaceAll(/[\u093C\u064B-\u0652\u0670\u0640]/g, '')
    .replaceAll(/[^\p{L}\p{M}\p{N}]|\p{Variation_Selector}/gu, '');
}

/**
 * Writes the sentences of all languages as `LANGUAGE/CLASS.tsv`: the written form and its readings, separated by tabs.
 * @param {string} folder a new folder
 */
function writeAll(folder) {
  fs.mkdirSync(folder);
  for (const reading of languages().flatMap(readings)) {
    const parent = path.join(folder, reading.region ?? reading.language);
    fs.mkdirSync(parent, { recursive: true });
    fs.appendFileSync(
      path.join(parent, `${reading.class}.tsv`),
      [reading.written, ...reading.spoken].join('\t') + '\n',
    );
  }
}

if (process.argv[1] === import.meta.filename) writeAll(process.argv[2] ?? 'readings');
