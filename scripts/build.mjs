/** Builds the packages: the owner's fields in `package.json`, `dist/` of each, the editor pages beside the nodes, `resources/` for the browser, and the runtime of natural voices. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import process from 'node:process';
import { buildEditor } from './build/editor.mjs';
import { packNaturalRuntime } from './build/natural-runtime.mjs';
import { bundle } from './build/bundle.mjs';
import { bundled, bundlePackages } from './build/packages.mjs';
import { writeOwner } from './owner.mjs';
import { filesBelow, writeExactly } from './files.mjs';

const root = path.resolve(import.meta.dirname, '..');
const require = createRequire(import.meta.url);

/** @typedef {{name: string, sources: string, output: string, skip?: string}} Project */

/**
 * The TypeScript projects with the folders of their sources and output.
 * @type {Project[]}
 */
const projects = [
  { name: 'client', sources: 'client', output: 'client/dist' },
  { name: 'audio', sources: 'audio', output: 'audio/dist' },
  { name: 'service', sources: 'service', output: 'service/dist', skip: 'console/page/' },
  { name: 'neural', sources: 'neural', output: 'neural/dist' },
  { name: 'speakers', sources: 'speakers', output: 'speakers/dist' },
  { name: 'fleet', sources: 'fleet', output: 'fleet/dist' },
  { name: 'nodes', sources: 'nodes', output: '.cache/nodes', skip: 'editor/' },
];

/**
 * @param {Project} project
 * @returns {string[]} the declarations that the compiler writes, relative to the output folder
 */
function declarationsOf({ sources, skip = '\0' }) {
  return filesBelow(path.join(root, sources))
    .filter((file) => /(?<!\.d)\.ts$/.test(file) && !file.startsWith(skip))
    .map((file) => file.replace(/\.ts$/, '.d.ts'));
}

/**
 * Deletes output without a source. If output is missing, deletes the build state so that the compiler writes it again.
 * @param {Project} project
 */
function refresh(project) {
  const output = path.join(root, project.output);
  const expected = new Set(declarationsOf(project));
  const written = bundled.includes(project.name) ? /\.d\.ts$/ : /\.(js|js\.map|d\.ts)$/;
  const isCompiled = (/** @type {string} */ file) =>
    written.test(file) && !file.startsWith(project.skip ?? '\0');
  const compiled = filesBelow(output).filter((file) => isCompiled(file));
  for (const file of compiled) {
    if (!expected.has(file.replace(written, '.d.ts'))) rmSync(path.join(output, file));
  }
  if ([...expected].some((file) => !existsSync(path.join(output, file)))) {
    rmSync(path.join(root, '.cache', `${project.name}.tsbuildinfo`), { force: true });
  }
}

function compile() {
  const compiler = path.join(path.dirname(require.resolve('typescript/package.json')), 'bin/tsc');
  const { status } = spawnSync(process.execPath, [compiler, '-b', root], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

/** Copies the HTML, CSS and SVG files of the console beside its bundle. */
function copyConsole() {
  const sources = path.join(root, 'service/console/page');
  const owned = /\.(html|css|svg)$/;
  const files = filesBelow(sources).filter((file) => owned.test(file));
  const contents = new Map(files.map((file) => [file, readFileSync(path.join(sources, file), 'utf8')]));
  writeExactly(path.join(root, 'service/dist/console/page'), contents, owned);
}

writeOwner(root);
projects.forEach(refresh);
compile();
bundle(root);
packNaturalRuntime(root);
await bundlePackages(root);
copyConsole();
buildEditor(root);
