/** Bundles the nodes and packages, one script each. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { writeExactly } from '../files.mjs';
import { nodeNames } from './manifest.mjs';

/**
 * The modules of a package as one script, so that Node.js finds, reads and compiles one file in place of some 100.
 * @typedef {object} Bundle
 * @property {string} sources the folder of the sources
 * @property {string} output the folder of the script, and of a small file per entry
 * @property {string} script its path
 * @property {readonly string[]} entries modules that other packages, processes and threads load
 * @property {readonly string[]} shared modules that tests and other scripts take from the script; they have no file
 * @property {Lower} [lower] the modules that another script has
 */

/**
 * A folder whose modules have a script of their own, because small programs load nothing else of the package.
 * @typedef {object} Lower
 * @property {string} folder
 * @property {string} script beside the script of the package
 */

/**
 * Packages with the modules that they start as processes and threads.
 * @type {Readonly<Record<string, { programs?: readonly string[], shared?: readonly string[], lower?: Lower }>>}
 */
const packages = {
  client: {
    programs: ['audio/verify-program', 'cache/courier-program'],
    lower: { folder: 'base', script: 'base.js' },
  },
  audio: {},
  fleet: { shared: ['fleet'] },
  speakers: {},
};

/** Of the modules of these packages, the compiler writes declarations only. */
export const bundled = Object.keys(packages);

/**
 * @param {string} root the checkout
 * @returns {Bundle[]}
 */
const bundlesOf = (root) => [
  ...Object.keys(packages).flatMap((name) => packageBundles(root, name)),
  {
    sources: 'nodes',
    output: 'dist/nodes',
    script: 'runtime/nodes.js',
    entries: nodeNames(root),
    shared: ['account/local/local-service'],
  },
];

/**
 * @param {string} root
 * @param {string} name folder of the package
 * @returns {Bundle[]}
 */
function packageBundles(root, name) {
  const { programs = [], shared = [], lower } = packages[name] ?? {};
  const entries = [...exportsOf(path.join(root, name, 'package.json')), ...programs];
  const whole = { sources: name, output: `${name}/dist`, script: 'bundle.js', entries, shared };
  if (lower === undefined) return [whole];
  const isLower = (/** @type {string} */ entry) => entry.startsWith(`${lower.folder}/`);
  const modules = readdirSync(path.join(root, name, lower.folder)).map(
    (file) => `${lower.folder}/${path.parse(file).name}`,
  );
  const [below, above] = [entries.filter(isLower), entries.filter((entry) => !isLower(entry))];
  const others = modules.filter((module) => !below.includes(module));
  return [
    { ...whole, script: lower.script, entries: below, shared: others },
    { ...whole, entries: above, lower },
  ];
}

/**
 * @param {string} manifest
 * @returns {string[]} the modules that a package exports
 */
function exportsOf(manifest) {
  /** @type {{exports: Record<string, string | {default: string}>}} */
  const { exports } = JSON.parse(readFileSync(manifest, 'utf8'));
  return Object.values(exports).flatMap((entry) =>
    typeof entry === 'string' ? [] : [entry.default.replace(/^\.\/dist\/(.*)\.js$/, '$1')],
  );
}

/**
 * Writes the packages and the nodes.
 * @param {string} root the checkout
 */
export async function bundlePackages(root) {
  /** @type {Map<string, Map<string, string>>} */
  const outputs = new Map();
  for (const bundle of bundlesOf(root)) {
    const files = outputs.get(bundle.output) ?? [];
    outputs.set(bundle.output, new Map([...files, ...(await bundleModules(root, bundle))]));
  }
  for (const [output, files] of outputs) writeExactly(path.join(root, output), files, /\.js(\.map)?$/);
}

/**
 * Returns a script, and one file per entry that reads it. All entries share the modules.
 * @param {string} root
 * @param {Bundle} bundle
 * @returns {Promise<[file: string, code: string][]>}
 */
async function bundleModules(root, { sources, output, script, entries, shared, lower }) {
  const folder = path.join(root, sources);
  const lines = [...entries, ...shared].map((name) => `exports['${name}'] = () => require('./${name}.js');`);
  const { outputFiles } = await build({
    ...forNode,
    stdin: { contents: lines.join('\n'), resolveDir: folder, sourcefile: script },
    outfile: path.join(root, output, script),
    bundle: true,
    packages: 'external',
    format: 'cjs',
    sourcemap: 'linked',
    plugins: [
      keepFolders(path.dirname(path.join(folder, script))),
      ...(lower === undefined ? [] : [takeFrom(lower, folder)]),
    ],
  });
  const names = await namesIn(folder, entries);
  return [
    ...outputFiles.map((file) => filed(path.join(root, output), file)),
    ...entries.map((name, index) => entryOf(name, script, names[index] ?? [])),
  ];
}

const forNode = /** @type {const} */ ({
  write: false,
  platform: 'node',
  target: 'node20',
  charset: 'utf8',
  tsconfigRaw: '{}',
  logLevel: 'warning',
});

/**
 * Replaces `__dirname`, because a module that starts a program or reads a file beside it is in the folder of the script.
 * @param {string} place the folder of the script, if it were among the sources
 * @returns {import('esbuild').Plugin}
 */
const keepFolders = (place) => ({
  name: 'folders',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path: file }) => {
      const folder = slashed(path.relative(place, path.dirname(file)));
      const contents = readFileSync(file, 'utf8');
      const moved = contents.replaceAll('__dirname', `require('node:path').join(__dirname, '${folder}')`);
      return { contents: moved, loader: 'ts' };
    });
  },
});

/**
 * Takes the modules of a folder from their own script, so that a program has each of them once.
 * @param {Lower} lower
 * @param {string} sources the folder of the package
 * @returns {import('esbuild').Plugin}
 */
const takeFrom = ({ folder, script }, sources) => ({
  name: 'lower',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\.{1,2}\// }, ({ path: file, resolveDir, namespace }) => {
      if (namespace === 'lower') return { path: file, external: true };
      const name = slashed(path.relative(sources, path.join(resolveDir, file))).replace(/\.js$/, '');
      return name.startsWith(`${folder}/`) ? { path: name, namespace: 'lower' } : undefined;
    });
    onLoad({ filter: /^/, namespace: 'lower' }, ({ path: name }) => ({
      contents: `module.exports = require('./${script}')['${name}']();`,
    }));
  },
});

/**
 * Returns the names that each module exports.
 * @param {string} folder
 * @param {readonly string[]} modules
 * @returns {Promise<string[][]>}
 */
async function namesIn(folder, modules) {
  const entryPoints = modules.map((name) => path.join(folder, `${name}.ts`));
  const { metafile } = await build({
    ...forNode,
    entryPoints,
    outdir: folder,
    format: 'esm',
    metafile: true,
    logLevel: 'error',
  });
  return Object.values(metafile.outputs).map((output) => output.exports.filter((name) => name !== 'default'));
}

/**
 * Returns the file of an entry. An ES module finds the exported names in its last line, which never runs.
 * @param {string} name
 * @param {string} script
 * @param {readonly string[]} names
 * @returns {[file: string, code: string]}
 */
const entryOf = (name, script, names) => [
  `${name}.js`,
  `'use strict';
const script = require('./${'../'.repeat(name.split('/').length - 1)}${script}');
module.exports = script['${name}']();
0 && (module.exports = { ${names.join(', ')} });
`,
];

/**
 * @param {string} folder
 * @param {import('esbuild').OutputFile} file
 * @returns {[file: string, code: string]}
 */
const filed = (folder, { path: file, text }) => [slashed(path.relative(folder, file)), text];

/** @param {string} file */
const slashed = (file) => file.replaceAll(path.sep, '/');
