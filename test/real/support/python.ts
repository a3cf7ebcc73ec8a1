import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { z } from '@herald-speech/client';
import { spawned } from '../../support/spawned.js';

const ROOT = path.resolve(__dirname, '../../..');
/** Milliseconds for a script. Only a hung peer takes longer. */
const TIME_LIMIT = 600_000;

/**
 * Runs `test/real/SUITE/SCRIPT` with the Python of the suite, which `npm run test:real` installs in `.cache/real/SUITE`.
 * @param input the script reads it as JSON from the standard input
 * @param output the schema of the JSON that the script writes to the standard output
 * @throws Error with the messages of the script if it fails, and if it exceeds 10 minutes
 */
export async function runPython<Output>(
  [suite, script]: readonly [suite: string, script: string],
  input: unknown,
  output: z.ZodType<Output>,
): Promise<Output> {
  const program = path.join(ROOT, '.cache/real', suite, 'bin/python');
  const args = [path.join(ROOT, 'test/real', suite, script)];
  const child = spawned(spawn(program, args, { timeout: TIME_LIMIT, killSignal: 'SIGKILL' }));
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  try {
    child.stdin.on('error', () => undefined).end(JSON.stringify(input));
    const [printed, problems] = await Promise.all([text(child.stdout), text(child.stderr), endOf(child)]);
    if (child.exitCode !== 0) throw new Error(`${script} ended with ${child.exitCode}: ${problems}`);
    return output.parse(JSON.parse(printed));
  } finally {
    process.off('exit', kill);
  }
}

async function endOf(child: ChildProcess): Promise<void> {
  await once(child, 'close');
}
