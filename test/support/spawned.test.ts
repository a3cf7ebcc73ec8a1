import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { withMqttBroker } from './programs/mqtt-broker.js';
import { withRedis } from './programs/redis.js';
import { withSnapcast } from './programs/snapcast.js';
import { fromProgram, spawned } from './spawned.js';

const TESTS = path.resolve(__dirname, '..');
const ROOT = path.dirname(TESTS);
const MISSING = path.join(__dirname, 'missing-program.ts');
/** A program that starts outside of `spawned`. Methods and texts do not count. */
const UNWATCHED = /(?<!spawned\(\s*)(?<![\w.'"`])(?:spawn|fork)\(/;

describe('a program of a test', () => {
  const { PATH } = process.env;
  afterEach(() => {
    process.env['PATH'] = PATH;
  });

  const parts: [string, string, (work: () => Promise<void>) => Promise<void>][] = [
    ['snapserver', 'snapserver', withSnapcast],
    ['mosquitto', 'mosquitto', withMqttBroker],
    ['redis-server', 'redis-server', withRedis],
  ];
  for (const [program, debianPackage, part] of parts)
    it(`rejects its own test with the package to install if ${program} is missing`, async () => {
      process.env['PATH'] = '/nowhere';
      await assert.rejects(
        part(() => assert.fail('started')),
        {
          message: `cannot start "${program}": install the Debian package ${debianPackage}`,
        },
      );
    });

  it('causes no error outside of its test, also if that test does not wait for it', async () => {
    const strays: unknown[] = [];
    const listeners = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException').on('uncaughtException', (error) => strays.push(error));
    try {
      const child = spawned(spawn('/nowhere/program'));
      await new Promise((resolve) => child.once('close', resolve));
      await new Promise(setImmediate);
      await assert.rejects(
        fromProgram(child, new Promise(() => {})),
        /^Error: cannot start "\/nowhere\/program": install/,
      );
    } finally {
      process.removeAllListeners('uncaughtException');
      for (const listener of listeners) process.on('uncaughtException', listener);
    }
    assert.deepEqual(strays, []);
  });

  it('is named in the failure of a test that waits for it in another way', async () => {
    const args = [require.resolve('mocha/bin/mocha.js'), '--timeout', '300', MISSING];
    const stdout =
      /Timeout of 300ms[^]*cannot start "missing-program": install the Debian package missing-program/;
    await assert.rejects(promisify(execFile)(process.execPath, args, { cwd: ROOT }), { stdout });
  });

  it('passes on the result of a wait if the program starts', async () => {
    const child = spawned(spawn(process.execPath, ['-e', 'console.log(1)']));
    const [printed]: unknown[] = await fromProgram(child, once(child.stdout, 'data'));
    assert.equal(String(printed), '1\n');
    await once(child, 'close');
  });

  it('is always started with a listener for its error', () => {
    const names = readdirSync(TESTS, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.ts'),
    );
    const unwatched = names.filter((name) => UNWATCHED.test(readFileSync(path.join(TESTS, name), 'utf8')));
    assert.deepEqual(unwatched, []);
  });
});
