import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  type Flow,
  type FlowNode,
  hostedAccount,
  KEY,
  speechNode,
  watchers,
  withHostedFlow,
} from '../support/node-red/flow.js';
import { caughtError, errorOf } from '../support/node-red/messages.js';
import {
  refused,
  type Scripted,
  type ScriptedServer,
  type Seen,
  spoken,
} from '../support/net/scripted-server.js';
import { until } from '../support/waiting.js';

const voices = ({ requests }: ScriptedServer) => requests.map(({ path }) => path.split('/').at(-1));
const greeting = { payload: 'Hello.' };

/** Keeps the request open until the client closes it. */
const stay = async ({ gone }: Seen): Promise<Scripted> => {
  await once(gone, 'abort');
  return spoken();
};

describe('a retry loop on the output retryable', () => {
  const MAX = 3;
  /** Counts the retries in the message and stops after `MAX`. */
  const counter: FlowNode = {
    id: 'count',
    type: 'function',
    outputs: 2,
    func: `msg.retries = (msg.retries || 0) + 1;
           return msg.retries > ${MAX} ? [null, msg] : [msg, null];`,
    wires: [['node'], ['given-up']],
  };
  const loop = [speechNode('text-to-speech', { wires: [['done'], ['count'], ['fatal'], []] }), counter];
  const options = { core: ['function/10-function.js'] };

  it('succeeds when the service recovers, and the result has no msg.error', () =>
    withHostedFlow(
      (_request, index) => (index < 4 ? refused(503) : spoken()),
      loop,
      async (flow) => {
        flow.send('node', { ...greeting, topic: 'kept' });
        const message = await flow.out('done');
        assert.deepEqual([message['retries'], message.topic, 'error' in message], [1, 'kept', false]);
      },
      options,
    ));

  it('stops after its limit with the last error', () =>
    withHostedFlow(
      () => refused(429, { 'retry-after': '600' }),
      loop,
      async (flow) => {
        flow.send('node', greeting);
        const message = await flow.out('given-up');
        assert.equal(message['retries'], MAX + 1);
        assert.equal(errorOf(message).code, 'rate-limited');
        assert.deepEqual(flow.received('done'), []);
      },
      options,
    ));
});

describe('the output of a failure', () => {
  const wiredTo = (...ids: string[]) => speechNode('text-to-speech', { wires: [['done'], ids, ids, ids] });
  const disabled = (id: string, more: object = {}): FlowNode => ({
    id,
    type: 'helper',
    d: true,
    wires: [],
    ...more,
  });
  const failing = (nodes: FlowNode[], work: (flow: Flow) => Promise<void>, core: string[] = []) =>
    withHostedFlow(() => refused(404), [...nodes, ...watchers], work, { core });

  it('is a Catch node if the wire leads only to disabled nodes', () =>
    failing([wiredTo('off', 'off-too'), disabled('off'), disabled('off-too')], async (flow) => {
      flow.send('node', greeting);
      assert.equal(caughtError(await flow.out('caught')).code, 'not-found');
    }));

  it('is the enabled node if the wire leads also to a disabled node', () =>
    failing([wiredTo('off', 'fatal'), disabled('off')], async (flow) => {
      flow.send('node', greeting);
      assert.equal(errorOf(await flow.out('fatal')).code, 'not-found');
      assert.deepEqual(flow.received('caught'), []);
    }));

  it('is the node behind a junction and a link', () =>
    failing(
      [
        wiredTo('junction'),
        { id: 'junction', type: 'junction', wires: [['link']] },
        { id: 'link', type: 'link out', mode: 'link', links: ['in'], wires: [] },
        { id: 'in', type: 'link in', links: ['link'], wires: [['linked']] },
      ],
      async (flow) => {
        flow.send('node', greeting);
        assert.equal(errorOf(await flow.out('linked')).code, 'not-found');
      },
      ['common/20-inject.js', 'common/60-link.js', 'common/05-junction.js'],
    ));
});

/** A subflow with one speech node, whose four outputs are the subflow's outputs, and the nodes in `inside`. */
const subflow = (node: FlowNode, env: object[], inside: FlowNode[] = []): FlowNode[] => [
  {
    id: 'sub',
    type: 'subflow',
    name: 'announce',
    in: [{ x: 1, y: 1, wires: [{ id: node.id }] }],
    out: [0, 1, 2, 3].map((port) => ({ x: 1, y: 1, wires: [{ id: node.id, port }] })),
    env,
  },
  { ...node, z: 'sub' },
  ...inside.map((one) => ({ ...one, z: 'sub' })),
];
const instance = (id: string, more: object = {}): FlowNode => ({
  id,
  type: 'subflow:sub',
  wires: [['done'], ['retryable'], ['fatal'], ['no-credits']],
  ...more,
});
const inner = (more: object = {}) =>
  speechNode('text-to-speech', { id: 'inner', wires: [[], [], [], []], ...more });
const VOICE = { name: 'VOICE', type: 'str', value: 'normal' };

describe('a node in a subflow', () => {
  const withVoice = subflow(inner({ voice_id: 'VOICE', voice_idType: 'env' }), [VOICE]);

  it('reads environment variables of the subflow and of each instance', () =>
    withHostedFlow(
      () => spoken(),
      [...withVoice, instance('plain'), instance('special', { env: [{ ...VOICE, value: 'special' }] })],
      async (flow, server) => {
        for (const id of ['plain', 'special']) {
          flow.send(id, greeting);
          await flow.out('done');
        }
        assert.deepEqual(voices(server), ['normal', 'special']);
      },
    ));

  it('reads its account from an environment variable of the instance', () =>
    withHostedFlow(
      () => spoken(),
      [
        ...subflow(inner({ account: '${ACCOUNT}' }), [{ name: 'ACCOUNT', type: 'str', value: '' }]),
        instance('node', { env: [{ name: 'ACCOUNT', type: 'str', value: 'account' }] }),
      ],
      async (flow) => {
        flow.send('node', greeting);
        await flow.out('done');
      },
    ));

  it('sends failures out of the subflow if its output has a wire, else to Catch nodes', () =>
    withHostedFlow(
      () => refused(404),
      [
        ...subflow(inner(), []),
        instance('wired'),
        instance('unwired', { wires: [[], [], [], []] }),
        ...watchers,
      ],
      async (flow) => {
        flow.send('wired', greeting);
        assert.equal(errorOf(await flow.out('fatal')).code, 'not-found');
        assert.deepEqual(flow.received('caught'), []);
        flow.send('unwired', greeting);
        assert.equal(caughtError(await flow.out('caught')).code, 'not-found');
        assert.equal(flow.received('fatal').length, 1);
      },
    ));

  it('sends failures to nodes of the subflow, or to Catch nodes if these are disabled', () => {
    const nodes = (d: boolean): FlowNode[] => [
      ...subflow(
        inner({ wires: [[], [], ['passes', 'off'], []] }),
        [],
        [
          { id: 'passes', type: 'function', func: 'return msg;', wires: [[]], d },
          { id: 'off', type: 'function', func: 'return msg;', wires: [[]], d: true },
        ],
      ).map((node) =>
        node.type === 'subflow'
          ? { ...node, out: [{ x: 1, y: 1, wires: [{ id: 'passes', port: 0 }] }] }
          : node,
      ),
      instance('node', { wires: [['heard']] }),
      ...watchers,
    ];
    return withHostedFlow(
      () => refused(404),
      nodes(false),
      async (flow, { url }) => {
        flow.send('node', greeting);
        assert.equal(errorOf(await flow.out('heard')).code, 'not-found');
        assert.deepEqual(flow.received('caught'), []);
        await flow.deploy([hostedAccount(url), ...nodes(true)], 'full');
        flow.send('node', greeting);
        assert.equal(caughtError(await flow.out('caught')).code, 'not-found');
        assert.equal(flow.received('heard').length, 1);
      },
      { core: ['function/10-function.js'] },
    );
  });

  it('resets only the instance that receives msg.reset', () =>
    withHostedFlow(
      stay,
      [...subflow(inner(), []), instance('one'), instance('two')],
      async (flow, { requests }) => {
        for (const topic of ['one', 'two']) flow.send(topic, { ...greeting, topic });
        await until(() => requests.length === 2);
        flow.send('two', { reset: true });
        assert.equal((await flow.out('fatal')).topic, 'two');
        assert.equal(flow.received('fatal').length, 1);
      },
    ));
});

describe('several text to speech nodes', () => {
  it('work beside a disabled node', () =>
    withHostedFlow(
      () => spoken(),
      [speechNode('text-to-speech', { id: 'off', d: true }), speechNode('text-to-speech')],
      async (flow, { requests }) => {
        flow.send('node', greeting);
        await flow.out('done');
        assert.equal(requests.length, 1);
      },
    ));

  it('have separate queues after copy and paste', () =>
    withHostedFlow(
      (request) => (request.json['text'] === 'stay' ? stay(request) : spoken()),
      [speechNode('text-to-speech'), speechNode('text-to-speech', { id: 'copy' })],
      async (flow, { requests }) => {
        flow.send('node', { payload: 'stay', topic: 'stays' });
        await until(() => requests.length === 1);
        flow.send('copy', { ...greeting, topic: 'copy' });
        assert.equal((await flow.out('done')).topic, 'copy');
      },
    ));

  it('have separate accounts and keys after a second import', () =>
    withHostedFlow(
      () => spoken(),
      [
        hostedAccount('http://127.0.0.1:9', { id: 'account-2' }),
        speechNode('text-to-speech'),
        speechNode('text-to-speech', { id: 'again', account: 'account-2' }),
      ],
      async (flow, { requests }) => {
        const lacksKey = async () => {
          flow.send('again', greeting);
          assert.match(errorOf(await flow.out('fatal')).message, /^apiKey is missing/);
        };
        await lacksKey();
        flow.send('node', greeting);
        await flow.out('done');
        await lacksKey();
        assert.deepEqual(
          requests.map(({ headers }) => headers['x-sup-api-key']),
          [KEY],
        );
      },
    ));
});
