/**
 * Measures the time from complete audio to the sound, on real players that record what they play. Needs root and the Debian packages
 * of `scripts/tests/programs.mjs`. Usage: `node bench/speakers.bench.mjs [ROUNDS]`.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';
import { log, median, report } from './support.mjs';

const ROUNDS = process.argv[2] ?? '8';
/** Milliseconds; Snapcast plays one second behind its source. */
const BOUNDS = { computer: 400, mpd: 400, mopidy: 400, dlna: 400, snapcast: 1200 };
const ROOT = path.join(import.meta.dirname, '..');

for (const [part, bound] of Object.entries(BOUNDS)) {
  const script = path.join(ROOT, 'test/real/players/endurance/start-times.ts');
  const args = ['--require', path.join(ROOT, 'test/support/typescript.cjs'), script, part, ROUNDS];
  const { status, stdout } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error(`${part} ended with ${status}`);
  /** @type {number[]} */
  const times = JSON.parse(stdout);
  log(`${part}: ${times.map(Math.round).join(', ')} ms`);
  const value = median(times);
  const name = `first sound of an announcement, ${part}`;
  report({ name, ratio: value / bound, baseline: 'the allowed time', value, bound, unit: 'ms' });
}
