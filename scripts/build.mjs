/** Builds everything: `dist/` of each package, the editor's pages beside the nodes, `resources/` for the browser. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import process from 'node:process';
import { buildEditor } from './build-editor.mjs';
import { filesBelow, writeExactly } from './files.mjs';

const root = path.resolve(import.meta.dirname, '..');
const require = createRequire(import.meta.url);

/** The TypeScript projects: where the sources of each are, and where its output goes. */
const projects = [
  { name: 'client', sources: 'client', output: 'client/dist' },
  { name: 'service', sources: 'service', output: 'service/dist' },
  { name: 'console', sources: 'service/console/page', output: 'service/dist/console/page' },
  { name: 'nodes', sources: 'nodes', output: 'dist/nodes', skip: 'editor/' },
  { name: 'editor', sources: 'nodes/editor', output: 'resources' },
];

/** The scripts that the compiler writes for a project. */
function scriptsOf({ sources, skip }) {
  return filesBelow(path.join(root, sources))
    .filter((file) => /(?<!\.d)\.ts$/.test(file) && (skip === undefined || !file.startsWith(skip)))
    .map((file) => file.replace(/\.ts$/, '.js'));
}

/** Deletes what former sources left, and has the compiler write again what somebody deleted. */
function refresh(project) {
  const output = path.join(root, project.output);
  const expected = new Set(scriptsOf(project));
  const stale = filesBelow(output).filter((file) => /\.(js|js\.map|d\.ts)$/.test(file));
  for (const file of stale) {
    if (!expected.has(file.replace(/(\.js\.map|\.d\.ts)$/, '.js'))) rmSync(path.join(output, file));
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

/** Puts what the console's page is besides its scripts beside them. */
function copyConsole() {
  const sources = path.join(root, 'service/console/page');
  const owned = /\.(html|css|svg)$/;
  const files = filesBelow(sources).filter((file) => owned.test(file));
  const contents = files.map((file) => [file, readFileSync(path.join(sources, file), 'utf8')]);
  writeExactly(path.join(root, 'service/dist/console/page'), new Map(contents), owned);
}

projects.forEach(refresh);
compile();
copyConsole();
buildEditor(root);
