/** Bundles the browser code, one script for the editor and one for the console, and the nodes. */
import path from 'node:path';
import { buildSync } from 'esbuild';
import { writeExactly } from '../files.mjs';
import { nodeNames } from './manifest.mjs';

/** The entry scripts with the folders of their bundles. */
const fronts = [
  { entry: 'nodes/editor/editor.ts', output: 'resources' },
  { entry: 'service/console/page/main.ts', output: 'service/dist/console/page' },
];

/** The bundle of the nodes, below their folder. It replaces the files of a folder, so that `__dirname` stays right. */
const NODES = 'runtime/nodes.js';

/**
 * Modules of the bundle beside the nodes: the tests share the local service of the nodes.
 * @type {readonly string[]}
 */
const SHARED = ['account/local/local-service'];

/**
 * Writes all nodes as one script, and one file per node that reads it. Node-RED loads every node at its start: one file
 * takes less than half the time of 200.
 * @param {string} root the checkout
 */
export function bundleNodes(root) {
  const names = nodeNames(root);
  const output = path.join(root, 'dist/nodes');
  const lines = [...names, ...SHARED].map((name) => `exports['${name}'] = () => require('./${name}.js');`);
  const { outputFiles } = buildSync({
    stdin: { contents: lines.join('\n'), resolveDir: path.join(root, 'nodes'), sourcefile: 'nodes.js' },
    outfile: path.join(output, NODES),
    bundle: true,
    packages: 'external',
    write: false,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    charset: 'utf8',
    sourcemap: 'linked',
    tsconfigRaw: '{}',
    logLevel: 'warning',
  });
  const files = new Map([
    ...names.map((name) => /** @type {const} */ ([`${name}.js`, entryOf(name)])),
    ...outputFiles.map(
      ({ path: file, text }) =>
        /** @type {const} */ ([path.relative(output, file).replaceAll(path.sep, '/'), text]),
    ),
  ]);
  writeExactly(output, files, OWNED);
}

/** @param {string} name a node */
const entryOf = (name) => `'use strict';\nmodule.exports = require('./${NODES}')['${name}']();\n`;

/** @param {string} root the checkout */
export function bundle(root) {
  for (const { entry, output } of fronts) {
    const name = path.basename(entry, '.ts');
    writeExactly(path.join(root, output), new Map([[`${name}.js`, codeOf(root, entry)]]), OWNED);
  }
}

const OWNED = /\.(js|js\.map|d\.ts)$/;

/**
 * The code stays readable for a user who reports an error.
 * @param {string} root
 * @param {string} entry
 */
function codeOf(root, entry) {
  const { outputFiles } = buildSync({
    entryPoints: [path.join(root, entry)],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    charset: 'utf8',
    logLevel: 'warning',
  });
  return outputFiles.map(({ text }) => text).join('');
}
