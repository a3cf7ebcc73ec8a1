/** Python packages of `npm run test:real`, in one environment for each suite. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../prepare.mjs';
import { runBounded } from './run-bounded.mjs';

const INSTALL_LIMIT_MS = 300_000;
/** A registry that does not answer must not cost minutes. */
const PIP = [
  '-m',
  'pip',
  'install',
  '--quiet',
  '--disable-pip-version-check',
  '--timeout',
  '15',
  '--retries',
  '1',
];

/**
 * Installs the packages of `test/real/SUITE/requirements.txt` in `.cache/real/SUITE`. Installed packages need no registry.
 * @param {string} suite
 * @returns {Promise<string | undefined>} the reason of a failure
 */
export async function preparePython(suite) {
  const folder = path.join(root, '.cache/real', suite);
  const python = path.join(folder, 'bin/python');
  if (!existsSync(path.join(folder, 'bin/pip'))) {
    const failure = await runBounded('python3', ['-m', 'venv', folder], { limit: INSTALL_LIMIT_MS });
    if (failure !== undefined) return `Python makes no environment: ${failure}`;
  }
  const requirements = path.join(root, 'test/real', suite, 'requirements.txt');
  const args = [...PIP, '--requirement', requirements];
  const failure = await runBounded(python, args, { limit: INSTALL_LIMIT_MS });
  return failure && `the Python packages cannot be installed: ${failure}`;
}
