import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { nodeMessages } from '../../../../nodes/runtime/messages.js';
import { KEY, speechNode, withHostedFlow } from '../../../support/node-red/flow.js';
import { errorOf } from '../../../support/node-red/messages.js';
import { loadTypescript } from '../../../support/run-typescript.js';
import { spoken } from '../../../support/net/scripted-server.js';

const node = speechNode('text-to-speech');
const SECRET = 'password-in-the-url';

describe('an account with a Redis URL', () => {
  for (const [fleetUrl, says] of [
    [
      `redis://:${SECRET}@127.0.0.1:6379`,
      /^fleetUrl: contains a user name or a password.*“User” and “Password”/,
    ],
    ['http://127.0.0.1:6379', /^fleetUrl: expected an address such as redis:/],
    ['redis://', /^fleetUrl: expected an address/],
    ['redis.example.com:6379', /^fleetUrl: expected an address/],
    ['redis://127.0.0.1/queue', /^fleetUrl: expected only the number of a database/],
    ['redis://127.0.0.1/0?family=6', /^fleetUrl: expected only the number of a database/],
  ] as const) {
    it(`rejects messages on fatal if the URL is ${fleetUrl.replace(SECRET, '...')}, and sends nothing`, () =>
      withHostedFlow(
        () => spoken(),
        [node],
        async (flow, { requests }) => {
          flow.send('node', { payload: 'Hello.' });
          const { code, message } = errorOf(await flow.out('fatal'));
          assert.equal(code, 'not-configured');
          assert.match(message, says);
          assert.equal(requests.length, 0);
          assert.ok(!flow.logged().some((line) => line.includes(SECRET) || line.includes(KEY)));
        },
        { account: { fleetUrl } },
      ));
  }

  for (const [property, value, says] of [
    ['fleetTls', 'tls', /^fleetUrl: starts with redis:\/\/, which is without TLS/],
    ['fleetCache', 'memory', /^fleetCache memory: expected redis or folder/],
    ['fleetCacheSize', '0', /^account: fleetCacheSize is 0: expected megabytes from 1/],
  ] as const) {
    it(`rejects messages on fatal if ${property} is ${value}`, () =>
      withHostedFlow(
        () => spoken(),
        [node],
        async (flow) => {
          flow.send('node', { payload: 'Hello.' });
          assert.match(errorOf(await flow.out('fatal')).message, says);
        },
        { account: { fleetUrl: 'redis://127.0.0.1:9', [property]: value } },
      ));
  }

  it('shares nothing and loads nothing if the URL is blank', () =>
    withHostedFlow(
      () => spoken(),
      [node],
      async (flow) => {
        flow.send('node', { payload: 'Hello.' });
        await flow.out('done');
        const { fleet } = Object(flow.node('account'));
        assert.equal(fleet(), undefined);
      },
      { account: { fleetUrl: ' ' } },
    ));
});

describe('the missing package of the fleet', () => {
  it('is an error with the command and the folder of its installation', () => {
    // A separate process, because this one may have loaded the package.
    const script = `
      const Module = require('node:module');
      const resolve = Module._resolveFilename;
      Module._resolveFilename = (name, ...rest) => resolve(name === '@herald-speech/fleet' ? 'not-installed' : name, ...rest);
      const { fleetPackage } = require('./nodes/account/membership/fleet-package.ts');
      try {
        fleetPackage({ settings: { userDir: '/data/red' } });
      } catch ({ code, message }) {
        console.log(JSON.stringify([code, message]));
      }`;
    const root = path.join(__dirname, '../../../..');
    const printed = execFileSync(process.execPath, [...loadTypescript, '-e', script], { cwd: root });
    const [code, message]: [string, string] = JSON.parse(printed.toString());
    assert.equal(code, 'not-configured');
    assert.match(message, /run "npm install @herald-speech\/fleet" in the folder \/data\/red, then restart/);
    assert.ok(nodeMessages['fleet-not-installed'].includes('{command}'));
  });
});
