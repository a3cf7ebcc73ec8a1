import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import { z } from '@herald-speech/client';
import { accountOf } from '../../../nodes/account/account-node.js';
import { describeWith } from '../../support/programs/describe-with.js';
import {
  type Flow,
  hostedAccount,
  KEY,
  speechNode,
  watchers,
  withFlow,
  withHostedFlow,
} from '../../support/node-red/flow.js';
import { freePort } from '../../support/net/free-port.js';
import { useDataFolder } from '../../support/service/local-service.js';
import { errorOf, speechOf } from '../../support/node-red/messages.js';
import { type NetworkNamespace, networkNamespace } from '../../support/net/network-namespace.js';
import { type FlowNode, startNodeRed } from '../../support/node-red/node-red.js';
import { type Script, spoken, withServer } from '../../support/net/scripted-server.js';
import { until } from '../../support/waiting.js';

const script: Script = () => spoken({ seconds: 0.5 });
const node = speechNode('text-to-speech', { output: 'url' });

const bcrypt = z
  .object({ hashSync: z.function({ input: [z.string(), z.number()], output: z.string() }) })
  .parse(createRequire(require.resolve('node-red'))('bcryptjs'));

describe('the audio port of an account', () => {
  const folder = useDataFolder();
  const speak = async (flow: Flow, id = 'node', done = 'done') => {
    flow.send(id, { payload: 'Dinner is ready.' });
    return speechOf(await flow.out(done));
  };
  const withPort = (account: object, work: (flow: Flow, url: string) => Promise<void>) =>
    withHostedFlow(script, [node, ...watchers], (flow, server) => work(flow, server.url), {
      account: { audioHost: '127.0.0.1', ...account },
      settings: { userDir: folder() },
    });
  const textOf = (status: unknown): string =>
    z
      .object({ text: z.string().catch('') })
      .catch({ text: '' })
      .parse(status).text;
  const statusOf = (flow: Flow): unknown => flow.received('status-of').at(-1)?.['status'];

  it('is off by default, so that the URL is one of Node-RED', () =>
    withPort({ audioHost: '' }, async (flow) => {
      const { url, warnings } = await speak(flow);
      assert.match(url ?? '', /^http:\/\/127\.0\.0\.1:\d+\/herald\/audio\/\w+\.wav$/);
      // The tests run with uiHost 127.0.0.1.
      assert.equal(warnings.length, 1);
      assert.match(
        warnings[0] ?? '',
        /^uiHost in the settings is 127\.0\.0\.1, so Node-RED accepts no other/,
      );
      await until(() => flow.received('status-of').length > 2);
      assert.deepEqual(z.looseObject({}).parse(statusOf(flow))['text'], 'Check Base URL, 0.5 s');
    }));

  it('needs no warning if only editors on this computer play the URL: the wires lead to listen nodes', () =>
    withHostedFlow(
      script,
      [
        { ...node, wires: [['change', 'seen']] },
        { id: 'change', type: 'change', rules: [], wires: [['ear']] },
        { id: 'seen', type: 'debug' },
        { id: 'ear', type: 'herald-listen' },
        { ...node, id: 'others', wires: [['change', 'player']] },
        ...watchers,
      ],
      async (flow) => {
        for (const [id, expected] of [
          ['node', 'Done, 0.5 s'],
          ['others', 'Check Base URL, 0.5 s'],
        ] as const) {
          flow.send(id, { payload: 'Dinner is ready.' });
          await until(() => /\d s$/.test(textOf(statusOf(flow))));
          assert.equal(textOf(statusOf(flow)), expected);
          flow.received('status-of').length = 0;
        }
      },
      { settings: { userDir: folder() }, core: ['function/15-change.js', 'common/21-debug.js'] },
    ));

  it('has the URLs of all nodes with the account, and moves with a deploy', async () => {
    const [first, second] = [await freePort(), await freePort()];
    await withPort({ audioPort: String(first) }, async (flow, service) => {
      const { url = '' } = await speak(flow);
      assert.equal(new URL(url).port, String(first));
      assert.equal((await fetch(url)).status, 200);
      const changed = hostedAccount(service, { audioHost: '127.0.0.1', audioPort: second });
      await flow.deploy([changed, node, ...watchers]);
      const moved = url.replace(`:${first}/`, `:${second}/`);
      assert.equal((await fetch(moved)).status, 200);
      await assert.rejects(fetch(url));
      assert.equal(new URL((await speak(flow)).url ?? '').port, String(second));
      await flow.deploy([changed, node, ...watchers], 'full');
      assert.equal((await fetch(moved)).status, 200);
    });
  });

  it('closes with a partial deploy if the button has opened it and the saved account does not name it', async () => {
    const [saved, pressed] = [await freePort(), await freePort()];
    await withPort({ audioPort: String(saved) }, async (flow, service) => {
      await accountOf(flow.RED, 'account').openPort?.({ host: '127.0.0.1', port: pressed });
      const { url = '' } = await speak(flow);
      assert.equal(new URL(url).port, String(pressed));
      const account = flow.node('account');
      await flow.deploy([
        hostedAccount(service, { audioHost: '127.0.0.1', audioPort: String(saved) }),
        { ...node, name: 'moved' },
        ...watchers,
      ]);
      assert.equal(flow.node('account'), account);
      await assert.rejects(fetch(url));
      assert.equal(new URL((await speak(flow)).url ?? '').port, String(saved));
    });
  });

  it('is shared by two accounts, and ends with the last one', async () => {
    const audioPort = await freePort();
    const settings = { audioHost: '127.0.0.1', audioPort };
    await withServer(script, async ({ url: service }) => {
      const accounts = [
        hostedAccount(service, settings),
        { ...hostedAccount(service, settings), id: 'office' },
      ];
      const nodes = [node, { ...node, id: 'other', account: 'office', wires: [['done-too']] }];
      const credentials = { account: { apiKey: KEY }, office: { apiKey: KEY } };
      let url = '';
      await withFlow(
        [...accounts, ...nodes],
        async (flow) => {
          url = (await speak(flow)).url ?? '';
          const other = await speak(flow, 'other', 'done-too');
          assert.equal(new URL(other.url ?? '').port, String(audioPort));
          await flow.deploy(accounts.slice(0, 1).concat(nodes.slice(0, 1)));
          assert.equal((await fetch(url)).status, 200);
        },
        { credentials, settings: { userDir: folder() } },
      );
      await assert.rejects(fetch(url));
    });
  });

  it('warns in the log, the status and each message if another program uses the port, and speaks on', async () => {
    const other: Server = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    assert.ok(typeof address === 'object' && address !== null);
    try {
      await withPort({ audioPort: address.port, name: 'House' }, async (flow) => {
        const { url = '', warnings } = await speak(flow);
        assert.notEqual(new URL(url).port, String(address.port));
        const problem = `port ${address.port}: another program or account uses it: `;
        assert.ok(warnings[0] ?? ''.startsWith(problem), warnings[0] ?? '');
        assert.ok(flow.logged().some((line) => line.includes(`account House: ${problem}`)));
      });
    } finally {
      other.close();
    }
  });

  it('sends messages with a URL to fatal if a setting is invalid, and speaks to a Buffer', () =>
    withPort({ audioPort: 'kitchen' }, async (flow) => {
      flow.send('node', { payload: 'Dinner is ready.' });
      const { code, message } = errorOf(await flow.out('fatal'));
      assert.equal(code, 'not-configured');
      assert.equal(message, 'account: audioPort is "kitchen": expected a whole number from 1 to 65535');
      await flow.deploy([
        { ...hostedAccount('http://127.0.0.1:9'), audioPort: 'kitchen' },
        { ...node, output: 'buffer' },
      ]);
      flow.send('node', { payload: 'Dinner is ready.' });
      assert.notEqual(errorOf(await flow.out('retryable')).code, 'not-configured');
    }));

  it('follows the base URL of the account, and the one of the message before it', async () => {
    const audioPort = await freePort();
    await withPort({ audioPort, audioBaseUrl: 'http://10.9.8.7:8000/audio/' }, async (flow) => {
      const { url = '', warnings } = await speak(flow);
      assert.match(url, /^http:\/\/10\.9\.8\.7:8000\/audio\/herald\/audio\/\w+\.wav$/);
      assert.deepEqual(warnings, []);
      flow.send('node', { payload: 'Dinner is ready.', base_url: 'http://10.1.1.1' });
      assert.match(speechOf(await flow.out('done')).url ?? '', /^http:\/\/10\.1\.1\.1\/herald\//);
    });
  });
});

/** Needs root, because it makes a network with a player. */
describeWith(['ip'], 'a player in the network of a Node-RED with a login', () => {
  let network: NetworkNamespace | undefined;
  const theNetwork = () => network ?? assert.fail('no network');
  before(() => {
    network = networkNamespace();
  });
  after(() => network?.close());

  /** Fetches a URL from inside the network. Returns the status, or `failed`. */
  async function fetched(url: string): Promise<string> {
    const code = `fetch(process.argv[1]).then(({ status }) => console.log(status), () => console.log('failed'))`;
    const child = theNetwork().start(process.execPath, ['-e', code, url], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let printed = '';
    child.stdout?.on('data', (data) => (printed += String(data)));
    await once(child, 'close');
    return printed.trim();
  }

  it('gets 401 from Node-RED, and the audio from the audio port, also below httpNodeRoot', async () => {
    const audioPort = await freePort();
    const httpNodeAuth = { user: 'tv', pass: bcrypt.hashSync('secret', 4) };
    const settings = { httpNodeRoot: '/red', httpNodeAuth, uiHost: '0.0.0.0' };
    await withServer(script, async ({ url: service }) => {
      const account = { ...hostedAccount(service), credentials: { apiKey: KEY } };
      const nodeRed = await startNodeRed(flowsOf(account), { settings });
      const say = async () => {
        const headers = { authorization: `Basic ${Buffer.from('tv:secret').toString('base64')}` };
        const reply = await fetch(`${nodeRed.url}red/say`, { headers });
        return z.object({ url: z.string(), warnings: z.array(z.string()) }).parse(await reply.json());
      };
      /** The URL with the address of this computer in the network of the player. */
      const inNetwork = (url: string) => {
        const moved = new URL(url);
        moved.hostname = theNetwork().host;
        return moved.href;
      };
      try {
        const locked = await say();
        assert.match(new URL(locked.url).pathname, /^\/red\/herald\/audio\//);
        assert.match(
          locked.warnings[0] ?? '',
          /^httpNodeAuth in the settings asks players for a login \(401\): /,
        );
        assert.equal(await fetched(inNetwork(locked.url)), '401');
        await nodeRed.deploy(flowsOf({ ...account, audioPort, audioHost: theNetwork().host }));
        const open = await say();
        assert.deepEqual(open.warnings, []);
        assert.equal(
          open.url.startsWith(`http://${theNetwork().host}:${audioPort}/herald/audio/`),
          true,
          open.url,
        );
        assert.equal(await fetched(open.url), '200');
        assert.equal(await fetched(open.url.replace(/[0-9a-f]{40}/, '0'.repeat(40))), '404');
        assert.equal(await fetched(`http://${theNetwork().host}:${audioPort}/red/say`), '404');
        await assert.rejects(fetch(open.url.replace(theNetwork().host, '127.0.0.1')));
      } finally {
        await nodeRed.stop();
      }
    });
  });
});

/** A flow that answers an HTTP request with `msg.speech`. */
function flowsOf(account: FlowNode): FlowNode[] {
  const rule = (p: string, to: string, tot: string) => ({ t: 'set', p, pt: 'msg', to, tot });
  const change = (id: string, rules: object[], next: string): FlowNode => ({
    id,
    type: 'change',
    z: 'tab',
    x: 1,
    y: 1,
    rules,
    wires: [[next]],
  });
  const speech = { account: 'account', output: 'url', wires: [['report']] };
  return [
    { id: 'tab', type: 'tab', label: 'Speech' },
    account,
    { id: 'ask', type: 'http in', z: 'tab', x: 1, y: 1, url: '/say', method: 'get', wires: [['text']] },
    change('text', [rule('payload', 'Hello.', 'str')], 'speech'),
    { id: 'speech', type: 'herald-text-to-speech', z: 'tab', x: 1, y: 1, ...speech },
    change('report', [rule('payload', 'speech', 'msg')], 'reply'),
    { id: 'reply', type: 'http response', z: 'tab', x: 1, y: 1, statusCode: '200', wires: [] },
  ];
}
