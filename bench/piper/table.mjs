/** The tables of figures in `bench/README.md`. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { log } from '../support.mjs';

/**
 * @typedef {object} Figures of a program. Times are in milliseconds.
 * @property {number} started first audio from the start of the program
 * @property {number} cold first audio of the first text
 * @property {number} ten first audio of 10 words
 * @property {number} forty first audio of 40 words
 * @property {number} cpu seconds of processor time for a second of audio
 * @property {number} memory megabytes
 * @property {import('./programs.mjs').Measured} text a text of 4,000 characters
 * @property {number} loudness LUFS
 * @property {number} spread dB
 */

export const PROGRAMS = ['Herald, WebAssembly', 'Herald, native', 'wyoming-piper', 'piper-tts'];

/** @param {number} ms */
const inSeconds = (ms) => (ms / 1000).toFixed(2);
/** @param {readonly Figures[]} figures @returns {string[][]} */
export function rowsOf(figures) {
  /** @param {string} name @param {(figure: Figures) => string} cell */
  const row = (name, cell) => [name, ...figures.map(cell)];
  return [
    row('first audio of 10 words, from the start of the program, s', ({ started }) => inSeconds(started)),
    row('first audio of 10 words, first text, s', ({ cold }) => inSeconds(cold)),
    row('first audio of 10 words, warm, s', ({ ten }) => inSeconds(ten)),
    row('first audio of 40 words, warm, s', ({ forty }) => inSeconds(forty)),
    row('processor time for a second of audio, s', ({ cpu }) => cpu.toFixed(2)),
    row('memory while speaking (PSS), MB', ({ memory }) => memory.toFixed()),
    row('4,000 characters: first audio, s', ({ text }) => inSeconds(text.firstMs)),
    row('4,000 characters: all audio, s', ({ text }) => inSeconds(text.totalMs)),
    row('4,000 characters: peak memory (PSS), MB', ({ text }) => text.peak.toFixed()),
    row('loudness: mean (standard deviation of the sentences), LUFS', loudnessCell),
  ].filter((cells) => !cells.includes(''));
}

/** @param {Figures} figures @returns {string} '' if it was not measured */
const loudnessCell = ({ loudness, spread }) =>
  Number.isNaN(loudness) ? '' : `${loudness.toFixed(1)} (${spread.toFixed(2)})`;

/** @param {{ seconds: number, silentSeconds: number }} figures */
export const importCell = ({ seconds, silentSeconds }) =>
  `${seconds.toFixed(1)} (${silentSeconds.toFixed(1)})`;

/**
 * @param {string} name of the section of the README
 * @param {readonly string[][]} rows
 */
export function writeTable(name, rows) {
  const all = [['', ...PROGRAMS], ['---', ...PROGRAMS.map(() => '---')], ...rows];
  const table = all.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
  const file = path.join(import.meta.dirname, '..', 'README.md');
  const section = new RegExp(`(<!-- piper ${name} -->\n)[^]*(\n<!-- end of piper ${name} -->)`);
  const text = readFileSync(file, 'utf8');
  writeFileSync(
    file,
    text.replace(section, (_, before, after) => `${before}\n${table}\n${after}`),
  );
  log(`${name}\n${table}`);
}
