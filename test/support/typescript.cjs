/**
 * Loads TypeScript files in this process, without a build. The compiled files are kept in `.cache/typescript/`, so that the
 * many processes and workers of the tests start as quickly as from JavaScript. Mocha preloads this file, and processes that
 * are forked from TypeScript files inherit it.
 */
'use strict';

const fs = require('node:fs');
const Module = require('node:module');
const path = require('node:path');
const process = require('node:process');
const v8 = require('node:v8');

const ROOT = path.resolve(__dirname, '../..');
const CACHE = path.join(ROOT, '.cache/typescript');
const SKIPPED = new Set(['.cache', '.git', 'coverage', 'dist', 'node_modules', 'resources']);

/** The packages of the checkout with their source files. */
const { paths } = JSON.parse(fs.readFileSync(path.join(ROOT, 'tsconfig.json'), 'utf8')).compilerOptions;
/** @type {Map<string, string>} */
const packages = new Map(Object.entries(paths).map(([name, [file]]) => [name, path.join(ROOT, file)]));

/**
 * Returns the TypeScript file that a request of a TypeScript file names with the extension `.js` or by its package.
 * @param {string} request
 * @param {string} parent
 */
function sourceOf(request, parent) {
  if (!/^[./]/.test(request) && !path.isAbsolute(request)) return packages.get(request);
  const file = path.resolve(path.dirname(parent), request.replace(/\.js$/, '.ts'));
  return file.endsWith('.ts') && fs.existsSync(file) ? file : undefined;
}

/** @param {string} file */
const compiledOf = (file) => path.join(CACHE, `${path.relative(ROOT, file)}.js`);

/**
 * A compiled file has the modification time of its source.
 * @param {string} file
 */
function isCompiled(file) {
  const compiled = fs.statSync(compiledOf(file), { throwIfNoEntry: false });
  return compiled !== undefined && Math.abs(compiled.mtimeMs - fs.statSync(file).mtimeMs) < 1;
}

/**
 * @param {string} folder
 * @returns {string[]} the TypeScript files below a folder
 */
function sourcesBelow(folder) {
  return fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const place = path.join(folder, entry.name);
    if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : sourcesBelow(place);
    return /(?<!\.d)\.ts$/.test(entry.name) ? [place] : [];
  });
}

/**
 * @param {readonly string[]} files
 * @returns {import('esbuild').OutputFile[]} a file with the extension `.js` beside each file, not yet written
 */
function compile(files) {
  const { outputFiles } = require('esbuild').buildSync({
    entryPoints: [...files],
    outbase: path.parse(ROOT).root,
    outdir: path.parse(ROOT).root,
    write: false,
    bundle: false,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    sourcemap: 'inline',
    sourcesContent: false,
    tsconfigRaw: '{}',
    logLevel: 'error',
  });
  return outputFiles;
}

/**
 * Returns a file as JavaScript. If it changed, compiles all files that changed: that takes as long as one file.
 * @param {string} file
 */
function codeOf(file) {
  if (!file.startsWith(ROOT + path.sep)) return compile([file])[0].text;
  if (!isCompiled(file)) {
    const changed = sourcesBelow(ROOT).filter((source) => !isCompiled(source));
    for (const { path: output, text } of compile(changed)) save(output.replace(/\.js$/, '.ts'), text);
  }
  return fs.readFileSync(compiledOf(file), 'utf8');
}

/**
 * Writes a compiled file. Other processes may write the same file.
 * @param {string} file the source
 * @param {string} code
 */
function save(file, code) {
  const { atimeMs, mtimeMs } = fs.statSync(file);
  const compiled = compiledOf(file);
  const temporary = `${compiled}.${process.pid}.${require('node:worker_threads').threadId}`;
  fs.mkdirSync(path.dirname(compiled), { recursive: true });
  fs.writeFileSync(temporary, code);
  fs.utimesSync(temporary, atimeMs / 1000, mtimeMs / 1000);
  fs.renameSync(temporary, compiled);
}

const { _resolveFilename: resolve } = Module;
Module._resolveFilename = (request, parent, ...rest) =>
  (parent?.filename?.endsWith('.ts') && sourceOf(request, parent.filename)) ||
  resolve(request, parent, ...rest);

Module._extensions['.ts'] = (module, file) => module._compile(codeOf(file), file);

// Most processes of the tests run a few seconds only: to optimize functions such as SQLite's costs more than it gains. The
// processes of the engines run optimized code, as for users.
const isEngine = process.argv[1]?.startsWith(path.join(ROOT, 'service/voices'));
// Their many starts read no source maps, which take a fifth of the loading.
if (!isEngine) process.setSourceMapsEnabled(true);
if (!isEngine) v8.setFlagsFromString('--wasm-tiering-budget=1000000000');
