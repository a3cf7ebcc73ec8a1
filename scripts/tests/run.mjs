/** Runs test files with mocha, and lists the suites that it left out because a program is missing. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { mochaOf, root } from '../prepare.mjs';
import { missingPackages } from './programs.mjs';
import { installCommand } from './install.mjs';

/**
 * Runs test files and prints the suites left out in the last lines. Sets the exit code of this process.
 * @param {readonly string[]} files
 * @param {object} [options]
 * @param {string} [options.binary] the executable of Node.js
 * @param {string} [options.checkout]
 * @param {boolean} [options.titles] prints the title of each test, otherwise a dot
 */
export function runTests(files, { binary = process.execPath, checkout = root, titles = false } = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), 'herald-tests-'));
  const record = path.join(folder, 'left-out');
  writeFileSync(record, '');
  const reporter = ['--reporter', path.join(checkout, 'scripts', 'tests', 'reporter.cjs')];
  const option = titles ? ['--reporter-option', 'titles=true'] : [];
  try {
    const { status } = spawnSync(binary, [...mochaOf(checkout), ...reporter, ...option, ...files], {
      cwd: checkout,
      stdio: 'inherit',
      env: { ...process.env, HERALD_LEFT_OUT: record },
    });
    process.exitCode = status ?? 1;
    printLeftOut(readFileSync(record, 'utf8').split('\n').filter(Boolean));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {readonly string[]} lines title and reason of each suite left out */
function printLeftOut(lines) {
  if (lines.length === 0) return;
  console.log(`\nSuites left out: ${lines.length}`);
  for (const line of lines.toSorted()) console.log(`  ${line}`);
  const packages = missingPackages();
  if (packages.length > 0)
    console.log(`On Debian, root installs their programs with: ${installCommand(packages)}`);
}
