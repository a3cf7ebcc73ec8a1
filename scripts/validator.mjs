/** The public validator of packages for Node-RED, with all of its checks, on packages that are not published yet. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { npm } from './other-node-red.mjs';
import { answerLookups } from './validator-lookups.mjs';

const VALIDATOR = 'node-red-dev@0.1.6';
const AT_MOST_MS = 120_000;

/** Every check of the validator. */
const CHECKS = {
  P01: 'a licence is named',
  P03: 'a repository or a place for bugs is named',
  P04: 'the name has a scope',
  P05: 'the keyword node-red is there',
  P06: 'the current Node-RED is admitted',
  P07: 'the oldest Node of the current Node-RED is admitted',
  P08: 'no package of the catalogue has a similar name',
  N01: 'no package of the catalogue has a node of the same name',
  N02: 'an example uses each node',
  D01: 'there are at most 6 dependencies',
  D02: 'no dependency is known to be incompatible',
  D03: 'dependencies are at their latest version',
};

/** The checks that cannot be met, and why. */
const NOT_TO_BE_MET = {
  P03: 'the project has no public repository and no public place for bugs that could be named',
};

/** The checks that are answered by the catalogue. */
const OF_THE_CATALOGUE = new Set(['P08', 'N01']);

/**
 * Runs the validator and lists each of its checks.
 * @param binary the Node that it runs on
 * @param userDir where the packed packages are installed
 * @param folder that the validator itself goes to
 * @throws AssertionError where a check that can be met is not, or was not made
 */
export async function validate(binary, userDir, folder) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), '{"private": true}');
  npm(binary, folder, 'install', '--ignore-scripts', VALIDATOR);
  const scope = path.join(userDir, 'node_modules', '@herald-speech');
  const manifests = readdirSync(scope).map((name) =>
    JSON.parse(readFileSync(path.join(scope, name, 'package.json'), 'utf8')),
  );
  const lookups = await answerLookups(manifests);
  try {
    const verdict = await run(binary, path.join(scope, 'node-red'), folder, lookups.address);
    list(verdict.checks, lookups.catalogue());
    judge(verdict);
  } finally {
    await lookups.close();
  }
}

/** Its own settings lead its lookups here: a proxy, and the registry in the `.npmrc` of where it starts. */
async function run(binary, validated, folder, address) {
  const output = path.join(folder, 'scorecard.json');
  writeFileSync(path.join(folder, '.npmrc'), `registry=${address}/\n`);
  const bin = path.join(folder, 'node_modules', 'node-red-dev', 'bin', 'run');
  const direct = { no_proxy: '127.0.0.1', NO_PROXY: '127.0.0.1' };
  const child = spawn(binary, [bin, 'validate', '--path', validated, '--output', output], {
    cwd: folder,
    env: { ...process.env, ...direct, https_proxy: address, HTTPS_PROXY: address },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: AT_MOST_MS,
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (printed += text));
  const [code] = await once(child, 'close');
  console.log(printed);
  assert.equal(code, 0, 'the validator did not come to its end');
  const { package: _, ...checks } = JSON.parse(readFileSync(output, 'utf8'));
  return { checks, printed };
}

function list(checks, catalogue) {
  console.log(`The checks of ${VALIDATOR}:`);
  for (const [id, what] of Object.entries(CHECKS)) {
    const reason = NOT_TO_BE_MET[id] ?? (OF_THE_CATALOGUE.has(id) ? `asked of ${catalogue}` : undefined);
    const verdict = checks[id] === undefined ? 'missing' : checks[id].test ? 'passed' : 'failed';
    console.log(`  ${id} ${verdict}  ${what}${reason === undefined ? '' : ` (${reason})`}`);
  }
}

/** What it prints counts as well: P05 passes on its scorecard whatever it finds. */
function judge({ checks, printed }) {
  assert.deepEqual(Object.keys(checks).sort(), Object.keys(CHECKS).sort(), 'other checks were made');
  const failed = Object.keys(checks).filter((id) => !checks[id].test);
  assert.deepEqual(failed, Object.keys(NOT_TO_BE_MET), 'other checks fail than those that cannot be met');
  const complaints = printed.split('\n').filter((line) => /warning|error|unable/i.test(line));
  const others = complaints.filter((line) => !failed.some((id) => line.includes(`Warning: ${id} `)));
  assert.deepEqual(others, [], 'the validator complains');
}
