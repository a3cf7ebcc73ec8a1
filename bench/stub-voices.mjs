/** Stub voices of the tests whose computation and weights resemble a Piper voice of quality medium. */
import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import process from 'node:process';

const ROOT = path.join(import.meta.dirname, '..');
const LOADER = path.join(ROOT, 'test', 'support', 'typescript.cjs');

/**
 * @param {string} folder
 * @param {readonly string[]} names
 */
export function installVoices(folder, names) {
  typescript(`
    const { installStub } = require('./test/support/natural/installed-stub.ts');
    const { REALISTIC_LAYERS: layers } = require('./test/support/natural/stub-voice.ts');
    for (const name of ${JSON.stringify(names)})
      installStub(${JSON.stringify(folder)}, { name, layers, weightBytes: 63e6 });
  `);
}

/**
 * @param {string} script
 * @param {Uint8Array} [input]
 */
function typescript(script, input) {
  const options = { cwd: ROOT, ...(input && { input }) };
  return String(execFileSync(process.execPath, ['--require', LOADER, '-e', script], options));
}

/**
 * @param {Buffer} wav
 * @returns {number[]} the phoneme ids of the sentence, with pads
 */
export function idsOf(wav) {
  const script = `
    const { idsHeardIn } = require('./test/support/natural/stub-voice.ts');
    const wav = require('node:fs').readFileSync(0);
    const data = wav.subarray(44, 44 + Math.floor((wav.length - 44) / 2) * 2);
    const samples = new Int16Array(new Uint8Array(data).buffer);
    console.log(JSON.stringify(idsHeardIn(samples, wav.readUInt32LE(24))));
  `;
  /** @type {number[]} */
  const ids = JSON.parse(typescript(script, wav));
  return ids.flatMap((id) => [id, 0]).slice(0, -1);
}

/**
 * Starts a neural process with a model.
 * @param {string} model
 * @param {readonly number[]} ids
 */
export function startComputing(model, ids) {
  const settings = { maxModels: 1, keepMs: 60_000, memoryBytes: 2e9, threads: 2, spareBytes: 0 };
  const child = fork(path.join(ROOT, 'neural', 'dist', 'program.js'), [JSON.stringify(settings)], {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  return {
    /** @returns {Promise<number>} milliseconds of computation for the ids */
    async time() {
      child.send({
        kind: 'speak',
        urgency: 'start',
        id: 0,
        model,
        ids,
        scales: [0.667, 1, 0.8],
        speaker: null,
        sampleRate: 22_050,
      });
      for (;;) {
        const [reply] = await once(child, 'message');
        if (reply.kind !== 'part') return reply.runMs;
      }
    },
    end: () => child.kill('SIGKILL'),
  };
}
