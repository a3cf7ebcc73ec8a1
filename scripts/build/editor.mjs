/** Writes the files that the editor loads: pages, locales and icons beside the compiled nodes, styles and pictures. */
import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { withRows } from './account-form.mjs';
import { editorPage } from './editor-page.mjs';
import { filesBelow, writeExactly } from '../files.mjs';
import { readFacts } from './interface-facts.mjs';
import { localeFiles, pluginLocale } from './locale.mjs';
import { nodeNames, pluginNames } from './manifest.mjs';
import { withServices } from './services.mjs';
import { LANGUAGES } from './texts.mjs';

const require = createRequire(import.meta.url);

/**
 * @typedef {import('./interface-facts.mjs').Facts} Facts
 * @typedef {{sources: string, compiled: string, facts: Facts}} Context
 */

/** @param {string} root the checkout, with compiled TypeScript in `.cache/nodes` */
export function buildEditor(root) {
  const sources = path.join(root, 'nodes');
  const output = path.join(root, 'dist/nodes');
  const compiled = path.join(root, '.cache/nodes');
  const context = { sources, compiled, facts: readFacts(compiled) };
  const pages = nodeNames(root).map((name) => /** @type {const} */ ([name, pageOf(name, context)]));
  const plugins = pluginNames(root);
  const files = new Map([
    ...plugins.map(
      (name) =>
        /** @type {const} */ ([`${name}.html`, readFileSync(path.join(sources, `${name}.html`), 'utf8')]),
    ),
    ...LANGUAGES.flatMap((language) => plugins.map((name) => pluginLocale(name, language))),
    ...pages.map(([name, page]) => /** @type {const} */ ([`${name}.html`, page])),
    ...LANGUAGES.flatMap((language) =>
      pages.flatMap(([name, page]) => localeFiles(name, page, language, context.facts)),
    ),
    ...iconsOf(root),
  ]);
  writeExactly(output, files, /^[^/]+\.html$|^locales\/|^icons\//);
  writeExactly(path.join(root, 'resources'), new Map([['editor.css', stylesOf(sources)]]), /\.css$/);
  copyPictures(path.join(sources, 'pictures'), path.join(root, 'resources/pictures'));
}

/**
 * @param {string} root
 * @returns {[file: string, svg: string][]}
 */
function iconsOf(root) {
  const folder = path.join(root, 'icons');
  return filesBelow(folder).map((file) => [`icons/${file}`, readFileSync(path.join(folder, file), 'utf8')]);
}

/** @param {string} sources */
function stylesOf(sources) {
  const folder = path.join(sources, 'editor');
  const sheets = filesBelow(folder).filter((file) => file.endsWith('.css'));
  return sheets
    .sort()
    .map((file) => readFileSync(path.join(folder, file), 'utf8'))
    .join('');
}

/**
 * @param {string} from
 * @param {string} to
 */
function copyPictures(from, to) {
  rmSync(to, { recursive: true, force: true });
  cpSync(from, to, { recursive: true });
}

/**
 * Returns the hand-written page of a node, or the page generated from its definition.
 * @param {string} name
 * @param {Context} context
 */
function pageOf(name, { sources, compiled, facts }) {
  const written = path.join(sources, `${name}.html`);
  if (existsSync(written))
    return withServices(
      withRows(readFileSync(written, 'utf8'), facts.clientDefaults),
      facts.services,
      facts.serviceFacts,
    )
      .replace('{{languages}}', languageOptions(facts))
      .replace('{{kinds}}', () => kindsOfSpeakers().join(' '));
  return editorPage(name, require(path.join(compiled, `${name}.js`)).definition, facts);
}

/** @returns {readonly string[]} the kinds of the package, which the build has compiled */
const kindsOfSpeakers = () => require('@herald-speech/speakers').kindNames;

/** @param {Facts} facts */
function languageOptions({ models }) {
  const codes = new Set(Object.values(models).flatMap(({ languages }) => languages));
  return [...codes].map((code) => `<option value="${code}"></option>`).join('');
}
