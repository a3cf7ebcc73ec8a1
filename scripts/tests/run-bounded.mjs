import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Characters of the standard error that a reason quotes. */
const QUOTED = 300;

/**
 * Runs a command in the checkout, and kills it with all its children after a time.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ limit: number, isShown?: boolean }} options `limit` in milliseconds; `isShown` shows the output
 * @returns {Promise<string | undefined>} the reason of a failure
 */
export async function runBounded(command, args, { limit, isShown = false }) {
  // A group of its own, so that the signal reaches the children.
  const child = spawn(command, args, {
    detached: true,
    stdio: ['ignore', isShown ? 'inherit' : 'ignore', isShown ? 'inherit' : 'pipe'],
  });
  let problems = '';
  child.stderr?.on('data', (data) => (problems = (problems + String(data)).slice(-QUOTED)));
  const kill = () => killGroup(child.pid);
  process.once('exit', kill);
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    kill();
  }, limit);
  try {
    const [code] = await once(child, 'close');
    if (isLate) return `no end after ${limit / 1000} s`;
    return code === 0 ? undefined : lastLine(problems) || `exit code ${code}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    clearTimeout(timer);
    process.off('exit', kill);
    kill();
  }
}

/** @param {string} text */
const lastLine = (text) => text.trim().split('\n').at(-1) ?? '';

/** @param {number | undefined} pid */
function killGroup(pid) {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // The group has ended.
  }
}
