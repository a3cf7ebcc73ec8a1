import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  type Flow,
  type FlowNode,
  hostedAccount,
  KEY,
  speechNode,
  until,
  watchers,
  withHostedFlow,
} from '../support/flow.js';
import { caughtError, errorOf } from '../support/messages.js';
import {
  refused,
  type Scripted,
  type ScriptedServer,
  type Seen,
  spoken,
} from '../support/scripted-server.js';

const voices = ({ requests }: ScriptedServer) => requests.map(({ path }) => path.split('/').at(-1));
const greeting = { payload: 'Hello.' };

/** Answers nothing for as long as somebody listens. */
const stay = async ({ gone }: Seen): Promise<Scripted> => {
  await once(gone, 'abort');
  return spoken();
};

describe('a retry loop from retryable', () => {
  const MAX = 3;
  /** Counts in the message, and lets go of what has come too often. */
  const counter: FlowNode = {
    id: 'count',
    type: 'function',
    outputs: 2,
    func: `msg.retries = (msg.retries || 0) + 1;
           return msg.error.code === 'aborted' || msg.retries > ${MAX} ? [null, msg] : [msg, null];`,
    wires: [['node'], ['given-up']],
  };
  const loop = [speechNode('text-to-speech', { wires: [['done'], ['count'], ['fatal'], []] }), counter];
  const options = { core: ['function/10-function.js'] };

  it('speaks as soon as the service is back, and leaves no error behind', () =>
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

  it('gives up at its limit, with the last error', () =>
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

describe('a wire', () => {
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

  it('that leads to disabled nodes alone is none: Catch nodes get the error', () =>
    failing([wiredTo('off', 'off-too'), disabled('off'), disabled('off-too')], async (flow) => {
      flow.send('node', greeting);
      assert.equal(caughtError(await flow.out('caught')).code, 'not-found');
    }));

  it('to a disabled node beside another that works goes there', () =>
    failing([wiredTo('off', 'fatal'), disabled('off')], async (flow) => {
      flow.send('node', greeting);
      assert.equal(errorOf(await flow.out('fatal')).code, 'not-found');
      assert.deepEqual(flow.received('caught'), []);
    }));

  it('through a junction or a link goes on', () =>
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

/** A subflow of one node, whose four ports are the subflow's outputs; `inside` are more nodes in it. */
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
const VOICE = { name: 'VOICE', type: 'str', value: 'usual' };

describe('a node in a subflow', () => {
  const withVoice = subflow(inner({ voice_id: 'VOICE', voice_idType: 'env' }), [VOICE]);

  it('takes its properties from the environment of the subflow, and of each instance', () =>
    withHostedFlow(
      () => spoken(),
      [...withVoice, instance('plain'), instance('special', { env: [{ ...VOICE, value: 'special' }] })],
      async (flow, server) => {
        for (const id of ['plain', 'special']) {
          flow.send(id, greeting);
          await flow.out('done');
        }
        assert.deepEqual(voices(server), ['usual', 'special']);
      },
    ));

  it('takes its account from the environment of the instance', () =>
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

  it('sends failures out of the subflow where its output has a wire, and to Catch nodes where it has none', () =>
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

  it('sends failures to other nodes in it, and to Catch nodes where these are disabled', () => {
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

  it('can be reset, in each instance by itself', () =>
    withHostedFlow(
      stay,
      [...subflow(inner(), []), instance('one'), instance('two')],
      async (flow, { requests }) => {
        for (const topic of ['one', 'two']) flow.send(topic, { ...greeting, topic });
        await until(() => requests.length === 2);
        flow.send('two', { reset: true });
        assert.equal((await flow.out('retryable')).topic, 'two');
        assert.equal(flow.received('retryable').length, 1);
      },
    ));
});

describe('a node that is', () => {
  it('disabled gets nothing and breaks nothing', () =>
    withHostedFlow(
      () => spoken(),
      [speechNode('text-to-speech', { id: 'off', d: true }), speechNode('text-to-speech')],
      async (flow, { requests }) => {
        flow.send('node', greeting);
        await flow.out('done');
        assert.equal(requests.length, 1);
      },
    ));

  it('copied speaks by itself: each copy has its own queue', () =>
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

  it('imported twice with its account has two accounts, and the key of neither is in the other', () =>
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
