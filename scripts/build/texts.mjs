/** Reads the labels and the help of the nodes. Each text stands in one file, in all languages. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const ENGLISH = 'en-US';

/** The languages of the editor, ISO 639-1. Each text in `nodes/locales/` and each page in `nodes/help/` has all of them. */
export const LANGUAGES = [ENGLISH, 'de', 'es', 'ja', 'ko'];

const NODES = path.resolve(import.meta.dirname, '../../nodes');
const LABELS = path.join(NODES, 'locales');
const HELP = path.join(NODES, 'help');

/** @typedef {{[key: string]: any}} Words labels and messages as a tree, in one language */

/** @returns {string[]} the names of the files with texts: a node, `shared`, `sidebar`, or `runtime` for messages */
export const textNames = () => namesIn(LABELS);

/** @returns {string[]} the names of the files with help: a node, or a part of all pages */
export const helpNames = () => namesIn(HELP);

/** @param {string} folder */
const namesIn = (folder) =>
  readdirSync(folder)
    .map((file) => path.parse(file).name)
    .sort();

/**
 * @param {string} name
 * @returns {Words} the texts in all languages. A text is an object with a text for each language, or one text for all.
 */
export const textsOf = (name) => JSON.parse(readFileSync(path.join(LABELS, `${name}.json`), 'utf8'));

/**
 * @param {string} name
 * @param {string} language
 * @returns {Words} the texts in one language
 */
export const textsIn = (name, language) => inLanguage(textsOf(name), language);

/**
 * @param {object} words
 * @returns {boolean} whether the object is one text in several languages
 */
export const isText = (words) => LANGUAGES.some((language) => language in words);

/**
 * @param {Words} words
 * @param {string} language
 * @returns {Words} without the texts that lack the language: the editor shows them in English
 */
function inLanguage(words, language) {
  const entries = Object.entries(words).map(([key, word]) => {
    if (typeof word === 'string') return [key, word];
    return [key, isText(word) ? word[language] : inLanguage(word, language)];
  });
  return Object.fromEntries(entries.filter(([, word]) => word !== undefined));
}

/**
 * @param {string} name
 * @param {string} language
 * @returns {string} the part of a page below the heading with the language
 * @throws Error for a page without the language
 */
export function helpIn(name, language) {
  const page = readFileSync(path.join(HELP, `${name}.md`), 'utf8');
  const parts = page.split(/^# (\S+)\n\n/m);
  const part = parts[parts.indexOf(language) + 1];
  if (!parts.includes(language) || part === undefined)
    throw new Error(`nodes/help/${name}.md has no heading "# ${language}". Add it with the help below.`);
  return `${part.trimEnd()}\n`;
}
