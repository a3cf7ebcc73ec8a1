import assert from 'node:assert/strict';
import { z } from '@herald-speech/client';
import { mp3Of, wavOf } from '../support/audio-files.js';
import { type Flow, type FlowNode, until, watchers, withFlow } from '../support/flow.js';
import { caughtError } from '../support/messages.js';
import { serving } from '../support/serve.js';

const announced = z.object({
  topic: z.literal('herald/listen'),
  retain: z.literal(false),
  data: z.union([
    z.strictObject({ node: z.string(), reset: z.literal(true) }),
    z.strictObject({
      node: z.string(),
      template: z.string().optional(),
      clip: z.uuid().optional(),
      url: z.string().optional(),
      order: z.string(),
      priority: z.number(),
    }),
  ]),
});
type Announcement = z.output<typeof announced>['data'];

/** A flow of one listen node, what the editor hears of it, and where the editor fetches from. */
const listening = (
  work: (flow: Flow, heard: Announcement[], origin: string) => Promise<void>,
  nodes: FlowNode[] = [{ id: 'ear', type: 'herald-listen' }],
) =>
  withFlow([...nodes, ...watchers], async (flow) => {
    const heard: Announcement[] = [];
    const hear = (event: unknown) => {
      const parsed = announced.safeParse(event);
      if (parsed.success) heard.push(parsed.data.data);
    };
    flow.RED.events.on('comms', hear);
    try {
      await serving(flow.RED.httpAdmin, (origin) => work(flow, heard, origin));
    } finally {
      flow.RED.events.off('comms', hear);
    }
  });

describe('listen', () => {
  for (const [name, audio, type] of [
    ['WAV', wavOf(), 'audio/wav'],
    ['MP3', mp3Of(), 'audio/mpeg'],
  ] as const) {
    it(`hands ${name} in a Buffer to the open editor, which fetches it with the right type`, () =>
      listening(async (flow, heard, origin) => {
        flow.send('ear', { payload: audio });
        await until(() => heard.length > 0);
        const [told] = heard;
        const clip = told !== undefined && 'clip' in told ? told.clip : assert.fail('no clip');
        const reply = await fetch(`${origin}/herald/listen/${clip}`);
        assert.equal(reply.headers.get('content-type'), type);
        assert.equal(reply.headers.get('cache-control'), 'no-store');
        assert.deepEqual(Buffer.from(await reply.arrayBuffer()), audio);
      }));
  }

  for (const url of [
    'https://house.example/a.mp3',
    'HTTP://10.0.0.2:1880/herald/audio/1.wav',
    '/herald/audio/1.wav',
  ]) {
    it(`hands the address ${url} to the open editor`, () =>
      listening(async (flow, heard) => {
        flow.send('ear', { payload: url });
        await until(() => heard.length > 0);
        assert.deepEqual(heard, [{ node: 'ear', url, order: 'wait', priority: 0 }]);
      }));
  }

  const url = '/herald/audio/1.wav';
  const orders: [what: string, message: object, order: string, priority: number][] = [
    ['as the speech was told to', { speech: { order: 'interrupt' }, order: 'wait' }, 'interrupt', 0],
    ['as the message asks for where nothing was spoken', { order: 'replace' }, 'replace', 0],
    [
      'as the message asks for where the speech is of another kind',
      { speech: 7, order: 'interrupt' },
      'interrupt',
      0,
    ],
    ['in its turn where it asks for what there is not', { order: 'shout' }, 'wait', 0],
    ['behind what has a higher priority', { order: 'interrupt', priority: -2 }, 'interrupt', -2],
    ['without a priority that is no number', { priority: 'high' }, 'wait', 0],
  ];
  for (const [what, message, order, priority] of orders) {
    it(`has audio played ${what}`, () =>
      listening(async (flow, heard) => {
        flow.send('ear', { payload: url, ...message });
        await until(() => heard.length > 0);
        assert.deepEqual(heard, [{ node: 'ear', url, order, priority }]);
      }));
  }

  it('silences the open editor by msg.reset, whatever else the message says', () =>
    listening(async (flow, heard) => {
      flow.send('ear', { payload: 'no audio', reset: true });
      flow.send('ear', { payload: url, reset: false });
      await until(() => heard.length > 1);
      assert.deepEqual(heard, [
        { node: 'ear', reset: true },
        { node: 'ear', url, order: 'wait', priority: 0 },
      ]);
    }));

  it('inside a subflow tells which node of the subflow it was made from', () =>
    listening(
      async (flow, heard) => {
        flow.send('copy', { payload: url });
        await until(() => heard.length > 0);
        const [told] = heard;
        assert.deepEqual([told?.node, told && 'template' in told && told.template], ['copy-ear', 'ear']);
      },
      [
        { id: 'hall', type: 'subflow', name: 'hall', in: [{ x: 1, y: 1, wires: [{ id: 'ear' }] }], out: [] },
        { id: 'ear', type: 'herald-listen', z: 'hall' },
        { id: 'copy', type: 'subflow:hall' },
      ],
    ));

  const unplayable = [
    'hello',
    'javascript:alert(1)',
    '//other.example/a.wav',
    '/\\other.example/a.wav',
    'http://',
    42,
    null,
    undefined,
    {},
    Buffer.from('hello'),
  ];
  for (const payload of unplayable) {
    it(`refuses ${typeof payload === 'string' ? payload : (JSON.stringify(payload) ?? 'nothing')}, and says what it plays`, () =>
      listening(async (flow, heard) => {
        flow.send('ear', { payload });
        const { message, source, cause } = caughtError(await flow.out('caught'));
        assert.match(message, /payload .*expected .*WAV or MP3/);
        assert.equal(source.id, 'ear');
        assert.equal(cause.code, 'bad-request');
        assert.deepEqual(heard, []);
      }));
  }

  it('says that audio is not held any more', () =>
    listening(async (_flow, _heard, origin) => {
      assert.equal((await fetch(`${origin}/herald/listen/unknown`)).status, 404);
    }));
});
