/** Runs the public Node-RED package validator with all checks on packages that are not published yet. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { npm } from '../../other-node-red.mjs';
import { REPOSITORY, withOwner } from '../../owner.mjs';
import { startLookups } from './lookups.mjs';

const VALIDATOR = 'node-red-dev@0.1.6';
const TIMEOUT_MS = 120_000;

/**
 * All checks of the validator.
 * @type {Record<string, string>}
 */
const CHECKS = {
  P01: 'package.json has a licence',
  P03: 'package.json has a repository or an issue tracker',
  P04: 'the package name has a scope',
  P05: 'the keywords include node-red',
  P06: 'the current Node-RED is supported',
  P07: 'the minimum Node.js version of the current Node-RED is supported',
  P08: 'no package of the catalogue has a similar name',
  N01: 'no package of the catalogue has a node with the same name',
  N02: 'each node has an example',
  D01: 'there are at most 6 dependencies',
  D02: 'no dependency is known to be incompatible',
  D03: 'dependencies have their latest version',
};

/** Replaces the address that the owner has not set yet, so that the check of the address runs. */
const EXAMPLE_REPOSITORY = 'https://git.example.org/herald/herald';

/** Checks that depend on the catalogue. */
const CATALOGUE_CHECKS = new Set(['P08', 'N01']);

/** @typedef {Record<string, {test: boolean} | undefined>} Scorecard */

/**
 * Runs the validator and prints the result of each check.
 * @param {string} binary path of the Node.js executable
 * @param {string} userDir folder of the installed packages
 * @param {string} folder folder to install the validator in
 * @throws AssertionError if a check fails or was not made
 */
export async function validate(binary, userDir, folder) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), '{"private": true}');
  npm(binary, folder, 'install', '--ignore-scripts', VALIDATOR);
  const scope = path.join(userDir, 'node_modules', '@herald-speech');
  const manifests = readdirSync(scope).map((name) =>
    JSON.parse(readFileSync(path.join(scope, name, 'package.json'), 'utf8')),
  );
  if (REPOSITORY === '') setExample(path.join(scope, 'node-red', 'package.json'));
  const lookups = await startLookups(manifests);
  try {
    const { checks, printed } = await run(binary, path.join(scope, 'node-red'), folder, lookups.address);
    printChecks(checks, lookups.catalogue());
    assertExpected(checks, printed);
  } finally {
    await lookups.close();
  }
}

/**
 * Writes the fields of an example repository to an installed manifest.
 * @param {string} file
 */
function setExample(file) {
  const manifest = withOwner(JSON.parse(readFileSync(file, 'utf8')), '.', EXAMPLE_REPOSITORY);
  writeFileSync(file, JSON.stringify(manifest));
}

/**
 * Runs the validator with its lookups redirected: by the proxy settings, and by the registry in an `.npmrc`.
 * @param {string} binary
 * @param {string} validated folder of the package
 * @param {string} folder
 * @param {string} address of the lookup server
 * @returns {Promise<{checks: Scorecard, printed: string}>}
 */
async function run(binary, validated, folder, address) {
  const output = path.join(folder, 'scorecard.json');
  writeFileSync(path.join(folder, '.npmrc'), `registry=${address}/\n`);
  const bin = path.join(folder, 'node_modules', 'node-red-dev', 'bin', 'run');
  const direct = { no_proxy: '127.0.0.1', NO_PROXY: '127.0.0.1' };
  const child = spawn(binary, [bin, 'validate', '--path', validated, '--output', output], {
    cwd: folder,
    env: { ...process.env, ...direct, https_proxy: address, HTTPS_PROXY: address },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: TIMEOUT_MS,
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (printed += text));
  const [code] = await once(child, 'close');
  console.log(printed);
  assert.equal(code, 0, `the validator exited with code ${code}`);
  const { package: _, ...checks } = JSON.parse(readFileSync(output, 'utf8'));
  return { checks, printed };
}

/**
 * @param {Scorecard} checks
 * @param {string} catalogue
 */
function printChecks(checks, catalogue) {
  console.log(`Checks of ${VALIDATOR}:`);
  for (const [id, title] of Object.entries(CHECKS)) {
    const note = noteOn(id, catalogue);
    const check = checks[id];
    const result = check === undefined ? 'missing' : check.test ? 'passed' : 'failed';
    console.log(`  ${id} ${result}  ${title}${note === undefined ? '' : ` (${note})`}`);
  }
}

/**
 * @param {string} id
 * @param {string} catalogue
 * @returns {string | undefined}
 */
function noteOn(id, catalogue) {
  if (CATALOGUE_CHECKS.has(id)) return `looked up in ${catalogue}`;
  if (id === 'P03' && REPOSITORY === '')
    return 'with an example address: set REPOSITORY in scripts/owner.mjs';
  return undefined;
}

/**
 * Reads the printed warnings as well: the scorecard reports P05 as passed even if the keyword is missing.
 * @param {Scorecard} checks
 * @param {string} printed
 */
function assertExpected(checks, printed) {
  assert.deepEqual(Object.keys(checks).sort(), Object.keys(CHECKS).sort(), 'the validator made other checks');
  const failed = Object.keys(checks).filter((id) => !checks[id]?.test);
  assert.deepEqual(failed, [], 'some checks failed');
  const warnings = printed.split('\n').filter((line) => /warning|error|unable/i.test(line));
  assert.deepEqual(warnings, [], 'the validator printed warnings');
}
