import assert from 'node:assert/strict';
import { once } from 'node:events';
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
  until,
  watchers,
  withFlow,
  withHostedFlow,
} from '../support/flow.js';
import { useDataFolder } from '../support/local-service.js';
import { errorOf, statusTexts } from '../support/messages.js';
import { type ScriptedServer, spoken } from '../support/scripted-server.js';
import {
  hasEnded,
  watchingProcesses,
  withoutServicePackage,
  withServicePackage,
} from '../support/service-package.js';

const greeting = { payload: 'Hello.' };
const node = speechNode('text-to-speech');

const withKey = (apiKey: string | undefined, account: FlowNode, work: (flow: Flow) => Promise<void>) =>
  withFlow([account, node, ...watchers], work, { credentials: { account: { apiKey } } });

/** Speaks once with a hosted account, and has a look at its service then. */
const speaking = (look: (server: ScriptedServer) => void = () => undefined, options: FlowOptions = {}) =>
  withHostedFlow(
    () => spoken(),
    [node],
    async (flow, server) => {
      flow.send('node', greeting);
      await flow.out('done');
      look(server);
    },
    options,
  );

describe('an account of a hosted service', () => {
  const nowhere = 'http://127.0.0.1:9';
  const wrong: [name: string, account: FlowNode, key: string | undefined, says: RegExp][] = [
    ['no URL', hostedAccount(''), KEY, /^url: not an address; expected an address such as https:/],
    ['a URL that is none', hostedAccount('speech'), KEY, /^url: not an address/],
    ['a URL of a file', hostedAccount('file:///etc'), KEY, /^url: file: is not http or https/],
    [
      'a URL with a password',
      hostedAccount(`http://me:${encodeURIComponent(KEY)}@host`),
      KEY,
      /^url: holds a user/,
    ],
    ['a URL with a key in its query', hostedAccount(`http://host/?key=${KEY}`), KEY, /^url: holds a query/],
    ['no key', hostedAccount(nowhere), undefined, /^apiKey is missing/],
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
      /^apiKey has a character that no key/,
    ],
    [
      'a rate that is no number',
      hostedAccount(nowhere, { requestsPerMinute: 'many' }),
      KEY,
      /^requestsPerMinute is NaN/,
    ],
    [
      'an unknown kind of service',
      hostedAccount(nowhere, { service: 'cloud' }),
      KEY,
      /^account: service "cloud"/,
    ],
  ];
  for (const [name, account, key, says] of wrong) {
    it(`with ${name} is said to be wrong on fatal, and the key is nowhere`, () =>
      withKey(key, account, async (flow) => {
        flow.send('node', greeting);
        const error = errorOf(await flow.out('fatal'));
        assert.equal(error.code, 'not-configured');
        assert.match(error.message, says);
        assertSecret(inspect(error) + flow.logged().join() + inspect(flow.received('status-of')));
      }));
  }

  after(() => delete process.env['HERALD_TEST_KEY']);
  it('takes its key from an environment variable', () => {
    process.env['HERALD_TEST_KEY'] = KEY;
    return speaking(({ requests }) => assert.equal(requests[0]?.headers['x-sup-api-key'], KEY), {
      credentials: { account: { apiKey: '${HERALD_TEST_KEY}' } },
    });
  });

  it('never shows its key, even where the service repeats it', () =>
    withHostedFlow(
      () => ({ status: 401, body: { status: 'error', message: `there is no key ${KEY}` } }),
      [
        speechNode('text-to-speech', { wires: [[], [], [], []] }),
        speechNode('credits', { id: 'wired' }),
        ...watchers,
      ],
      async (flow) => {
        flow.send('node', greeting);
        flow.send('wired', greeting);
        const messages = [await flow.out('caught'), await flow.out('fatal')];
        const client = await accountOf(flow.RED, 'account').connect(AbortSignal.timeout(1000));
        assertSecret([messages, flow.logged(), flow.received('status-of'), client].map(everything).join());
      },
    ));

  it('of an older flow, which says an address and no kind of service, is still hosted', () =>
    speaking(({ requests }) => assert.equal(requests.length, 1), { account: { service: undefined } }));

  it('needs no package of the local service', () => withoutServicePackage(() => speaking()));

  it('starts no process', () =>
    watchingProcesses((processes) => speaking(() => assert.deepEqual(processes, []))));
});

describe('an account of the service on this machine', () => {
  useDataFolder();

  it('shares one process with other accounts, which ends with the last of them', () =>
    watchingProcesses(async (processes) => {
      const second = localAccount({ id: 'second' });
      const other = speechNode('credits', { id: 'other', account: 'second' });
      await withFlow([localAccount(), second, node, other], async (flow) => {
        flow.send('node', greeting);
        await flow.out('done');
        await flow.deploy([localAccount(), node]);
        flow.send('node', greeting);
        await flow.out('done');
        assert.deepEqual(processes.map(hasEnded), [false]);
      });
      assert.deepEqual(processes.map(hasEnded), [true]);
    }));

  it('starts its process again at the same address when that was killed, and the next message speaks', () =>
    watchingProcesses((processes) =>
      withFlow([localAccount(), node], async (flow) => {
        flow.send('node', greeting);
        await flow.out('done');
        const [process] = processes;
        process?.kill('SIGKILL');
        await until(() => process !== undefined && hasEnded(process));
        flow.send('node', greeting);
        await flow.out('done');
        assert.equal(processes.length, 2);
        assert.match(
          flow.logged().join(),
          /the local service ended \(signal SIGKILL.*starts again in 0\.5 s/,
        );
        const addresses = flow.logged().flatMap((line) => line.match(/serves at (\S+)/)?.slice(1) ?? []);
        assert.deepEqual(addresses, [addresses[0], addresses[0]]);
      }),
    ));

  it('lets a message that is spoken when the process is killed leave once', () =>
    watchingProcesses((processes) =>
      withFlow([localAccount(), node], async (flow) => {
        flow.send('node', greeting);
        await flow.out('done');
        flow.send('node', { payload: 'Good morning to all of you. '.repeat(100) });
        processes[0]?.kill('SIGKILL');
        const left = () => [...flow.received('done').slice(1), ...flow.received('retryable')];
        await until(() => left().length > 0);
        flow.send('node', greeting);
        await until(() => left().length > 1);
        assert.equal(left().length, 2);
      }),
    ));

  it('ends its process when it is stopped in the middle of a long text', () =>
    watchingProcesses(async (processes) => {
      await withFlow([localAccount(), node, ...watchers], async (flow) => {
        for (let index = 0; index < 10; index += 1)
          flow.send('node', { payload: 'All is well here. '.repeat(100) });
        await until(() =>
          statusTexts(flow.received('status-of')).some((text) => text.startsWith('speaking 2/')),
        );
        await flow.close();
        assert.deepEqual(processes.map(hasEnded), [true]);
      });
    }));

  it('says that the package is missing where it is, on fatal', () =>
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
    ['says something else', 'console.log("hello"); process.stdin.resume()', /did not start: .*JSON/],
    ['says half of it', 'console.log("{}"); process.stdin.resume()', /did not start: /],
  ];
  for (const [name, script, says] of broken) {
    it(`leaves messages on retryable where the service ${name}, and leaves no process`, () =>
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

describe('a deploy while the local service is still starting', () => {
  useDataFolder();
  const mute = 'process.stdin.resume().once("end", () => process.exit())';

  it('lets the message leave as stopped, and ends the process', () =>
    watchingProcesses(async (processes) => {
      await withServicePackage(mute, () =>
        withFlow([localAccount(), node], async (flow) => {
          flow.send('node', greeting);
          await flow.deploy([localAccount({ language: 'ko' }), { ...node, name: 'changed' }]);
          assert.equal(errorOf(await flow.out('retryable')).code, 'aborted');
        }),
      );
      assert.equal(processes.length, 2);
      assert.ok(processes.every(hasEnded));
    }));

  it('ends a service that takes no notice by force', () =>
    watchingProcesses(async (processes) => {
      const deaf = 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000); console.error("up")';
      await withServicePackage(deaf, () =>
        withFlow([localAccount()], async () => {
          const [process] = processes;
          if (process?.stderr) await once(process.stderr, 'data');
        }),
      );
      assert.deepEqual(
        processes.map(({ signalCode }) => signalCode),
        ['SIGKILL'],
      );
    }));

  it('tells a message that comes too late that the account was stopped, and opens nothing for it', () =>
    withHostedFlow(
      () => spoken(),
      [],
      async (flow) => {
        const account = accountOf(flow.RED, 'account');
        await flow.close();
        await assert.rejects(account.connect(AbortSignal.timeout(1000)), {
          code: 'aborted',
          route: 'retryable',
        });
      },
    ));
});

const everything = (value: unknown) => inspect(value, { depth: 10, showHidden: true, maxStringLength: null });

function assertSecret(shown: string): void {
  assert.ok(!shown.includes(KEY), 'the key is shown');
  assert.ok(!shown.includes(encodeURIComponent(KEY)), 'the encoded key is shown');
}
