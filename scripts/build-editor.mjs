/** Writes what the editor needs beside the compiled nodes: pages, locales, icons, pictures, and the stylesheet. */
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { editorPage } from './editor-page.mjs';
import { filesBelow, writeExactly } from './files.mjs';
import { pickLocale } from './locale.mjs';

const require = createRequire(import.meta.url);

/** @param root the checkout, its TypeScript compiled */
export function buildEditor(root) {
  const sources = path.join(root, 'nodes');
  const output = path.join(root, 'dist/nodes');
  const read = (file) => readFileSync(path.join(sources, file), 'utf8');
  const context = contextOf(output);
  const pages = namesOf(root).map((name) => [name, pageOf(name, { sources, output, context })]);
  const files = new Map([
    ...pages.map(([name, page]) => [`${name}.html`, page]),
    ...languagesOf(sources).flatMap((language) =>
      pages.flatMap(([name, page]) => localeOf(name, page, `locales/${language}`, read)),
    ),
    ...filesBelow(path.join(root, 'icons')).map((file) => [
      `icons/${file}`,
      readFileSync(path.join(root, 'icons', file), 'utf8'),
    ]),
  ]);
  writeExactly(output, files, /^[^/]+\.html$|^locales\/|^icons\//);
  const styles = ['editor/editor.css', 'editor/voices.css'].map(read).join('');
  writeExactly(path.join(root, 'resources'), new Map([['editor.css', styles]]), /\.css$/);
  copyPictures(path.join(sources, 'pictures'), path.join(root, 'resources/pictures'));
}

/** The pictures of the help, anew: a few files, and none that is left of former ones. */
function copyPictures(from, to) {
  rmSync(to, { recursive: true, force: true });
  mkdirSync(to, { recursive: true });
  for (const file of filesBelow(from)) copyFileSync(path.join(from, file), path.join(to, file));
}

/** The nodes that the manifest names: it is what Node-RED reads. */
function namesOf(root) {
  const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  return Object.values(manifest['node-red'].nodes).map((file) => path.basename(file, '.js'));
}

function contextOf(output) {
  const { PORTS: ports } = require(path.join(output, 'runtime/ports.js'));
  const { savedName } = require(path.join(output, 'runtime/properties.js'));
  const { voiceSettings, models, z } = require(require.resolve('@herald-speech/client', { paths: [output] }));
  return { ports, savedName, voiceSettings, models, rulesOf: (request) => rulesOf(request, z) };
}

/** What JSON Schema can say of a request's fields, without what it says of every number. */
function rulesOf({ shape }, z) {
  const said = Object.entries(shape).map(([field, schema]) => {
    const whole = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
    const kept = Object.entries(whole).filter(
      ([name, value]) => RULES.includes(name) && Math.abs(value) !== Number.MAX_SAFE_INTEGER,
    );
    return [field, Object.fromEntries(kept)];
  });
  return Object.fromEntries(said.filter(([, rule]) => Object.keys(rule).some((name) => name !== 'type')));
}

const RULES = ['type', 'format', 'pattern', 'minimum', 'maximum', 'maxLength'];

/** A page that is written by hand is taken as it is, but for the languages; any other comes from the definition. */
function pageOf(name, { sources, output, context }) {
  const written = path.join(sources, `${name}.html`);
  if (existsSync(written))
    return readFileSync(written, 'utf8').replace('{{languages}}', languageOptions(context));
  return editorPage(name, require(path.join(output, `${name}.js`)).definition, context);
}

/** Every language that a listed model speaks, as options. */
function languageOptions({ models }) {
  const codes = new Set(Object.values(models).flatMap(({ languages }) => languages));
  return [...codes].map((code) => `<option value="${code}"></option>`).join('');
}

function languagesOf(sources) {
  return [...new Set(filesBelow(path.join(sources, 'locales')).map((file) => file.split('/')[0]))];
}

/** A node's words: those of its page out of what all nodes share, with its own; and its help, with what all share. */
function localeOf(name, page, folder, read) {
  const wordsIn = (file) => JSON.parse(read(`${folder}/${file}.json`));
  const words = pickLocale(page, wordsIn('shared'), wordsIn(name));
  const help = read(`${folder}/${name}.md`)
    .replace('{{failures}}\n', () => read(`${folder}/failures.md`))
    .replace(PICTURE, (_, words, picture) => inBothThemes(words, picture));
  return [
    [`${folder}/${name}.json`, `${JSON.stringify(words, undefined, 2)}\n`],
    [
      `${folder}/${name}.html`,
      `<script type="text/markdown" data-help-name="herald-${name}">\n${help}</script>\n`,
    ],
  ];
}

/** A picture in the help, on a line of its own; for dark themes there is another one beside it. */
const PICTURE = /^!\[(.+)\]\(\.\.\/\.\.\/(pictures\/.+)\.png\)$/gm;

/** The stylesheet shows one of the two; a browser does not load the other, nor those of help that nobody reads. */
function inBothThemes(words, picture) {
  const shown = (scheme, suffix) =>
    `<img class="herald-picture herald-in-${scheme}" loading="lazy" alt="${words}" src="resources/@herald-speech/node-red/${picture}${suffix}.png">`;
  return shown('light', '') + shown('dark', '-dark');
}
