/** Bundles the browser code: one script for the editor and one for the console. */
import path from 'node:path';
import { buildSync } from 'esbuild';
import { writeExactly } from '../files.mjs';

/** The entry scripts with the folders of their bundles. */
const fronts = [
  { entry: 'nodes/editor/editor.ts', output: 'resources' },
  { entry: 'service/console/page/main.ts', output: 'service/dist/console/page' },
];

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
