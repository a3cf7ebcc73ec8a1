/** Packs the files of `onnxruntime-web` that Node.js loads, 14 of 139 MB, with their licences into `@herald-speech/neural`. */
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { buildSync } from 'esbuild';
import { writeExactly } from '../files.mjs';

/** The WebAssembly of ONNX Runtime and the script that starts its threads. */
const LOADED = ['ort-wasm-simd-threaded.mjs', 'ort-wasm-simd-threaded.wasm'];

/** @param {string} root the checkout */
export function packNaturalRuntime(root) {
  const library = createRequire(path.join(root, 'neural', 'package.json')).resolve('onnxruntime-web');
  const output = path.join(root, 'neural', 'dist', 'onnxruntime');
  mkdirSync(output, { recursive: true });
  const common = createRequire(path.join(root, 'package.json')).resolve('onnxruntime-common');
  const scripts = new Map([
    ['ort.cjs', codeOf(library)],
    // For the native runtime, which the user may install without its dependencies.
    ['common.cjs', codeOf(common)],
  ]);
  writeExactly(output, scripts, /\.cjs$/);
  for (const name of LOADED) copyIfChanged(path.join(path.dirname(library), name), path.join(output, name));
  const licences = path.join(root, 'neural', 'onnxruntime');
  for (const name of readdirSync(licences)) copyIfChanged(path.join(licences, name), path.join(output, name));
}

/**
 * Bundles the library with `onnxruntime-common`, so that the package has no dependencies.
 * @param {string} library path of its script for Node.js
 */
function codeOf(library) {
  const { outputFiles } = buildSync({
    entryPoints: [library],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    charset: 'utf8',
    logLevel: 'warning',
  });
  return outputFiles.map(({ text }) => text).join('');
}

/**
 * @param {string} source
 * @param {string} target keeps its modification time if the contents are equal
 */
function copyIfChanged(source, target) {
  const isEqual =
    existsSync(target) &&
    statSync(target).size === statSync(source).size &&
    readFileSync(target).equals(readFileSync(source));
  if (!isEqual) copyFileSync(source, target);
}
