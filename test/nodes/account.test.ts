import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { inspect } from 'node:util';
import { accountOf } from '../../nodes/account/account-node.js';
import {
  type Flow,
  type FlowOptions,
  type FlowNode,
  hostedAccount,
  KEY,
  localAccount,
  speechNode,
  watchers,
  withFlow,
  withHostedFlow,
} from '../support/node-red/flow.js';
import { useDataFolder } from '../support/service/local-service.js';
import { errorOf, statusTexts } from '../support/node-red/messages.js';
import { type ScriptedServer, spoken } from '../support/net/scripted-server.js';
import {
  hasEnded,
  watchingProcesses,
  withoutServicePackage,
  withServicePackage,
} from '../support/service/service-package.js';
import { until } from '../support/waiting.js';

const greeting = { payload: 'Hello.' };
const node = speechNode('text-to-speech');

const withKey = (apiKey: string | undefined, account: FlowNode, work: (flow: Flow) => Promise<void>) =>
  withFlow([account, node, ...watchers], work, { credentials: { account: { apiKey } } });

/** Speaks once with a hosted account, then passes its service to `check`. */
const speakOnce = (check: (server: ScriptedServer) => void = () => undefined, options: FlowOptions = {}) =>
  withHostedFlow(
    () => spoken(),
    [node],
    async (flow, server) => {
      flow.send('node', greeting);
      await flow.out('done');
      check(server);
    },
    options,
  );

describe('an account of a hosted service', () => {
  const nowhere = 'http://127.0.0.1:9';
  const invalid: [name: string, account: FlowNode, key: string | undefined, says: RegExp][] = [
    ['a missing base URL', hostedAccount(''), KEY, /^url is missing: enter the URL/],
    ['an invalid base URL', hostedAccount('speech'), KEY, /^url: not a URL/],
    ['a file URL', hostedAccount('file:///etc'), KEY, /^url: file: is not http or https/],
    [
      'a URL with a password',
      hostedAccount(`http://me:${encodeURIComponent(KEY)}@host`),
      KEY,
      /^url: contains a user/,
    ],
    [
      'a URL with a key in its query',
      hostedAccount(`http://host/?key=${KEY}`),
      KEY,
      /^url: contains a query/,
    ],
    ['a missing key', hostedAccount(nowhere), undefined, /^apiKey is missing/],
    [
      'a key with white space around it',
      hostedAccount(nowhere),
      ` ${KEY}\n`,
      /^apiKey has white space around it/,
    ],
    [
      'a key with a line break in it',
      hostedAccount(nowhere),
      `${KEY}\n${KEY}`,
      /^apiKey has a character that is not printable/,
    ],
    [
      'a rate in words',
      hostedAccount(nowhere, { requestsPerMinute: 'many' }),
      KEY,
      /^requestsPerMinute is "many": expected "auto" or a whole number above 0$/,
    ],
    [
      'an unknown kind of service',
      hostedAccount(nowhere, { service: 'cloud' }),
      KEY,
      /^account: service "cloud"/,
    ],
  ];
  for (const [name, account, key, says] of invalid) {
    it(`sends messages to fatal and never shows the key: ${name}`, () =>
      withKey(key, account, async (flow) => {
        flow.send('node', greeting);
        const error = errorOf(await flow.out('fatal'));
        assert.equal(error.code, 'not-configured');
        assert.match(error.message, says);
        assertSecret(inspect(error) + flow.logged().join() + inspect(flow.received('status-of')));
      }));
  }

  after(() => delete process.env['HERALD_TEST_KEY']);
  it('reads its key from an environment variable', () => {
    process.env['HERALD_TEST_KEY'] = KEY;
    return speakOnce(({ requests }) => assert.equal(requests[0]?.headers['x-sup-api-key'], KEY), {
      credentials: { account: { apiKey: '${HERALD_TEST_KEY}' } },
    });
  });

  it('removes its key from the error text of the service', () =>
    withHostedFlow(
      () => ({ status: 401, body: { status: 'error', message: `unknown key ${KEY}` } }),
      [
        speechNode('text-to-speech', { wires: [[], [], [], []] }),
        speechNode('credits', { id: 'wired' }),
        ...watchers,
      ],
      async (flow) => {
        flow.send('node', greeting);
        flow.send('wired', greeting);
        const messages = [await flow.out('caught'), await flow.out('fatal')];
        const client = await accountOf(flow.RED, 'account').connect(AbortSignal.timeout(30_000));
        assertSecret([messages, flow.logged(), flow.received('status-of'), client].map(everything).join());
      },
    ));

  it('uses the hosted service if an older flow saved a base URL and no kind of service', () =>
    speakOnce(({ requests }) => assert.equal(requests.length, 1), { account: { service: undefined } }));

  it('works without the package of the local service', () => withoutServicePackage(() => speakOnce()));

  it('starts no process', () =>
    watchingProcesses((processes) => speakOnce(() => assert.deepEqual(processes, []))));
});

describe('an account of the local service', () => {
  useDataFolder();

  it('shares one process with other accounts, which ends when the last flow stops, also during a long text', () =>
    watchingProcesses(async (processes) => {
      const second = localAccount({ id: 'second' });
      const other = speechNode('credits', { id: 'other', account: 'second' });
      await withFlow([localAccount(), second, node, other, ...watchers], async (flow) => {
        flow.send('node', greeting);
        await flow.out('done');
        await flow.deploy([localAccount(), node, ...watchers]);
        flow.send('node', greeting);
        await flow.out('done');
        assert.deepEqual(processes.map(hasEnded), [false]);
        for (let index = 0; index < 3; index += 1)
          flow.send('node', { payload: 'All is well here. '.repeat(100) });
        await until(() =>
          statusTexts(flow.received('status-of')).some((text) => text.startsWith('Speaking 2/')),
        );
        await flow.close();
        assert.deepEqual(processes.map(hasEnded), [true]);
      });
    }));

  it('restarts a killed process at the same address, speaks each message all the same, and stops a waiting one on msg.reset', () =>
    watchingProcesses((processes) =>
      withFlow([localAccount(), node], async (flow) => {
        flow.send('node', greeting);
        await flow.out('done');
        await killTwiceDuringSynthesis(flow, processes);
        await killAndReset(flow, processes);
      }),
    ));

  it('sends messages to fatal if the package is not installed', () =>
    withoutServicePackage(() =>
      withFlow([localAccount(), node], async (flow) => {
        flow.send('node', greeting);
        const { code, message } = errorOf(await flow.out('fatal'));
        assert.equal(code, 'not-configured');
        assert.match(
          message,
          /local service is not installed: add the package @herald-speech\/local-service/,
        );
      }),
    ));

  const broken: [name: string, script: string, says: RegExp][] = [
    [
      'ends at once',
      'console.error("no room here"); process.exit(3)',
      /did not start: exit code 3: no room here/,
    ],
    ['prints no JSON', 'console.log("hello"); process.stdin.resume()', /did not start: .*JSON/],
    ['prints neither URL nor key', 'console.log("{}"); process.stdin.resume()', /did not start: /],
  ];
  for (const [name, script, says] of broken) {
    it(`sends messages to retryable and leaves no process if the service ${name}`, () =>
      watchingProcesses(async (processes) => {
        await withServicePackage(script, () =>
          withFlow([localAccount(), node], async (flow) => {
            flow.send('node', greeting);
            const { code, message } = errorOf(await flow.out('retryable'));
            assert.equal(code, 'no-connection');
            assert.match(message, says);
          }),
        );
        assert.ok(processes.length > 0 && processes.every(hasEnded));
      }));
  }
});

describe('a deploy during the start of the local service', () => {
  useDataFolder();
  const mute = 'process.stdin.resume().once("end", () => process.exit())';

  it('sends the message to fatal as aborted and ends the process', () =>
    watchingProcesses(async (processes) => {
      await withServicePackage(mute, () =>
        withFlow([localAccount(), node], async (flow) => {
          flow.send('node', greeting);
          await flow.deploy([localAccount({ language: 'ko' }), { ...node, name: 'changed' }]);
          assert.equal(errorOf(await flow.out('fatal')).code, 'aborted');
        }),
      );
      assert.equal(processes.length, 2);
      assert.ok(processes.every(hasEnded));
    }));
});

describe('the account of a stopped flow', () => {
  it('rejects new connections with aborted', () =>
    withHostedFlow(
      () => spoken(),
      [],
      async (flow) => {
        const account = accountOf(flow.RED, 'account');
        await flow.close();
        await assert.rejects(account.connect(AbortSignal.timeout(30_000)), {
          code: 'aborted',
          route: 'stopped',
        });
      },
    ));
});

const everything = (value: unknown) => inspect(value, { depth: 10, showHidden: true, maxStringLength: null });

function assertSecret(shown: string): void {
  assert.ok(!shown.includes(KEY), 'the key is shown');
  assert.ok(!shown.includes(encodeURIComponent(KEY)), 'the encoded key is shown');
}

/** Kills the process during a synthesis, and its successor too. Sends one message in between, and one after the first end. */
async function killTwiceDuringSynthesis(flow: Flow, processes: readonly ChildProcess[]): Promise<void> {
  const [process] = processes;
  flow.send('node', { payload: 'Good morning to all of you. '.repeat(8), topic: 'long' });
  process?.kill('SIGKILL');
  // One message while the process ends, and one between the end and the restart.
  flow.send('node', { ...greeting, topic: 'ending' });
  await until(() => process !== undefined && hasEnded(process));
  flow.send('node', { ...greeting, topic: 'ended' });
  await until(() => addressesIn(flow).length > 1);
  processes[1]?.kill('SIGKILL');
  for (const topic of ['long', 'ending', 'ended']) assert.equal((await flow.out('done')).topic, topic);
  assert.deepEqual([flow.received('done').length, flow.received('retryable').length], [4, 0]);
  assert.equal(processes.length, 3);
  assert.match(flow.logged().join(), /the local service ended \(signal SIGKILL.*starts again in 0\.5 s/);
  const [address] = addressesIn(flow);
  assert.deepEqual(addressesIn(flow), [address, address, address]);
}

/** Kills the third process, and suspends the fourth one: it never serves, so the message waits until the reset. */
async function killAndReset(flow: Flow, processes: readonly ChildProcess[]): Promise<void> {
  processes[2]?.kill('SIGKILL');
  await until(() => processes[3]?.kill('SIGSTOP') === true);
  flow.send('node', greeting);
  flow.send('node', { reset: true });
  assert.equal(errorOf(await flow.out('fatal')).code, 'aborted');
  processes[3]?.kill('SIGCONT');
}

/** Returns the address of each start of the local service from the log. */
const addressesIn = (flow: Flow): string[] =>
  flow.logged().flatMap((line) => line.match(/serves at (\S+)/)?.slice(1) ?? []);
