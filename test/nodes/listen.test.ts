import assert from 'node:assert/strict';
import { z } from '@herald-speech/client';
import { mp3Of, wavOf } from '../support/audio-files.js';
import { activityOf } from '../../nodes/runtime/activity/activity.js';
import { propertyOf } from '../../nodes/runtime/objects.js';
import {
  type Flow,
  type FlowNode,
  type Message,
  speechNode,
  watchers,
  withFlow,
  withHostedFlow,
} from '../support/node-red/flow.js';
import { spoken } from '../support/net/scripted-server.js';
import { caughtError, statusTexts } from '../support/node-red/messages.js';
import { serving } from '../support/net/serve.js';
import { until } from '../support/waiting.js';

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
      volume: z.number(),
      priority: z.number(),
      sound: z.uuid().optional(),
    }),
  ]),
});
type EditorEvent = z.output<typeof announced>['data'];

/** Runs `work` with a flow of one listen node, the events that the editor receives, and the editor's origin. */
const listening = (
  work: (flow: Flow, events: EditorEvent[], origin: string) => Promise<void>,
  nodes: FlowNode[] = [{ id: 'ear', type: 'herald-listen' }],
) =>
  withFlow([...nodes, ...watchers], async (flow) => {
    const events: EditorEvent[] = [];
    const hear = (event: unknown) => {
      const parsed = announced.safeParse(event);
      if (parsed.success) events.push(parsed.data.data);
    };
    flow.RED.events.on('comms', hear);
    try {
      await serving(flow.RED.httpAdmin, (origin) => work(flow, events, origin));
    } finally {
      flow.RED.events.off('comms', hear);
    }
  });

const stopOf = z.object({ sounds: z.array(z.string()), node: z.string(), end: z.string() });

describe('listen', () => {
  for (const [name, audio, type] of [
    ['WAV', wavOf(), 'audio/wav'],
    ['MP3', mp3Of(), 'audio/mpeg'],
  ] as const) {
    it(`serves ${name} from a Buffer to the open editor with its content type`, () =>
      listening(async (flow, events, origin) => {
        flow.send('ear', { payload: audio });
        await until(() => events.length > 0);
        const [event] = events;
        const clip = event !== undefined && 'clip' in event ? event.clip : assert.fail('no clip');
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
    it(`sends the URL ${url} to the open editor`, () =>
      listening(async (flow, events) => {
        flow.send('ear', { payload: url });
        await until(() => events.length > 0);
        assert.deepEqual(events, [{ node: 'ear', url, order: 'wait', priority: 0, volume: 100 }]);
      }));
  }

  for (const extension of ['ulaw', 'alaw', 'sln16', 'SLN', 'pcm']) {
    it(`rejects a URL of raw audio (.${extension}) with the formats that browsers play`, () =>
      listening(async (flow, events) => {
        flow.send('ear', { payload: `http://10.0.0.2:1880/herald/audio/1.${extension}` });
        const { message } = caughtError(await flow.out('caught'));
        assert.match(message, /browsers cannot play raw audio: choose the format WAV or MP3/);
        assert.equal(events.length, 0);
      }));
  }

  const url = '/herald/audio/1.wav';
  const volumes: [saved: unknown, message: unknown, volume: number][] = [
    [undefined, undefined, 100],
    ['40', undefined, 40],
    ['40', 70, 70],
    ['40', '70', 70],
    ['40', 'loud', 40],
    ['40', 250, 100],
    ['', -5, 0],
  ];
  for (const [saved, volume, expected] of volumes) {
    it(`plays at ${expected} % with ${JSON.stringify(saved)} in the dialog and msg.volume ${JSON.stringify(volume)}`, () =>
      listening(
        async (flow, events) => {
          flow.send('ear', { payload: url, volume });
          await until(() => events.length > 0);
          const [event] = events;
          assert.equal(event !== undefined && 'volume' in event ? event.volume : undefined, expected);
        },
        [{ id: 'ear', type: 'herald-listen', volume: saved }],
      ));
  }

  const orders: [what: string, message: object, order: string, priority: number][] = [
    ['the queue mode of msg.speech', { speech: { order: 'interrupt' }, order: 'wait' }, 'interrupt', 0],
    ['msg.order without msg.speech', { order: 'replace' }, 'replace', 0],
    [
      'msg.order if msg.speech is not of a text to speech node',
      { speech: 7, order: 'interrupt' },
      'interrupt',
      0,
    ],
    ['wait if msg.order is invalid', { order: 'shout' }, 'wait', 0],
    ['msg.priority', { order: 'interrupt', priority: -2 }, 'interrupt', -2],
    ['priority 0 if msg.priority is not a number', { priority: 'high' }, 'wait', 0],
  ];
  for (const [what, message, order, priority] of orders) {
    it(`sends ${what} to the open editor`, () =>
      listening(async (flow, events) => {
        flow.send('ear', { payload: url, ...message });
        await until(() => events.length > 0);
        assert.deepEqual(events, [{ node: 'ear', url, order, priority, volume: 100 }]);
      }));
  }

  it('stops the open editor on msg.reset with any value, even if the payload is invalid', () =>
    listening(async (flow, events) => {
      flow.send('ear', { payload: 'no audio', reset: true });
      for (const reset of ['', false, undefined]) flow.send('ear', { payload: url, reset });
      await until(() => events.length > 3);
      assert.deepEqual(
        events,
        Array.from({ length: 4 }, () => ({ node: 'ear', reset: true })),
      );
    }));

  describe('of a stopped announcement', () => {
    /** Speaks a text in pieces, and keeps the messages until the test sends them to the listen node. */
    const spokenInPieces = (
      work: (flow: Flow, events: unknown[], pieces: Message[]) => Promise<void>,
      output: 'pieces' | 'buffer' = 'pieces',
    ) =>
      withHostedFlow(
        () => spoken({ seconds: 1 }),
        [
          speechNode('text-to-speech', { output, cache: 'false', cacheType: 'bool' }),
          { id: 'ear', type: 'herald-listen' },
        ],
        async (flow) => {
          const events: unknown[] = [];
          const hear = ({ topic, data }: { topic: string; data: unknown }) => {
            if (topic === 'herald/listen' || topic === 'herald/silence') events.push(data);
          };
          flow.RED.events.on('comms', hear);
          try {
            flow.send('node', { payload: `${'One. '.repeat(60)}\n\n${'Two. '.repeat(60)}` });
            const pieces = [await flow.out('done')];
            if (output === 'pieces') pieces.push(await flow.out('done'));
            await work(flow, events, pieces);
          } finally {
            flow.RED.events.off('comms', hear);
          }
        },
      );
    const announced = (flow: Flow, { speech }: Message) =>
      activityOf(flow.RED).sounds.find(propertyOf(speech, 'announcement')) ?? assert.fail('no sound');

    it('stops the pieces in the open editor after msg.reset at the text to speech node, and plays no later piece', () =>
      spokenInPieces(async (flow, events, [first, second]) => {
        assert.ok(first && second);
        const { id } = announced(flow, first);
        flow.send('ear', first);
        await until(() => events.length === 1);
        assert.equal(propertyOf(events[0], 'sound'), id);
        flow.send('node', { reset: true });
        await until(() => events.length === 2);
        // A node of an earlier test, which had the same id, may have sounds that have not ended.
        const { sounds, ...silence } = stopOf.parse(events[1]);
        assert.ok(sounds.includes(id));
        assert.deepEqual(silence, { node: 'node', end: 'stopped' });
        flow.send('ear', second);
        flow.send('ear', { payload: url });
        await until(() => events.length === 3);
        assert.equal(propertyOf(events[2], 'url'), url);
      }));

    it('plays no later piece after msg.reset at the listen node, but the pieces of the next text', () =>
      spokenInPieces(async (flow, events, [first, second]) => {
        assert.ok(first && second);
        flow.send('ear', first);
        flow.send('ear', { reset: true });
        flow.send('ear', second);
        flow.send('node', { payload: 'The next text.' });
        let next = await flow.out('done');
        while (announced(flow, next) === announced(flow, first)) {
          flow.send('ear', next);
          next = await flow.out('done');
        }
        flow.send('ear', next);
        await until(() => events.length === 3);
        const sounds = [announced(flow, first), announced(flow, next)];
        assert.deepEqual(
          events.map((event) => propertyOf(event, 'sound')),
          [sounds[0]?.id, undefined, sounds[1]?.id],
        );
        for (const sound of sounds) activityOf(flow.RED).sounds.stop(sound);
      }));

    it('plays complete audio of a list again, with the end of each item', () =>
      spokenInPieces(async (flow, events, [audio]) => {
        assert.ok(audio);
        const { sounds } = activityOf(flow.RED);
        const sound = announced(flow, audio);
        sounds.stop(sound);
        flow.send('ear', { ...audio, parts: { id: 'list', type: 'array', len: 1, index: 0, count: 2 } });
        await until(() => events.length === 2);
        assert.equal(propertyOf(events[1], 'sound'), sound.id);
        assert.equal(propertyOf(events[1], 'continues'), undefined);
        sounds.stop(sound);
      }, 'buffer'));

    it('stops the pieces in all open editors after a stop in the sidebar, although the text is done', () =>
      spokenInPieces(async (flow, events, [first, second]) => {
        assert.ok(first && second);
        flow.send('ear', first);
        await until(() => events.length === 1);
        const activity = activityOf(flow.RED);
        const [latest] = (await activity.view(0)).ids;
        activity.stop(latest ?? assert.fail('no announcement'));
        flow.send('ear', second);
        flow.send('ear', { payload: url });
        await until(() => events.length === 3);
        assert.deepEqual(events[1], { sounds: [announced(flow, first).id], end: 'stopped' });
        assert.equal(propertyOf(events[2], 'url'), url);
      }));

    it('stops the pieces after an interrupt, also in a listen node that does not get the new message', () =>
      spokenInPieces(async (flow, events, [first]) => {
        assert.ok(first);
        flow.send('ear', first);
        await until(() => events.length === 1);
        flow.send('node', { payload: 'Fire!', order: 'interrupt' });
        await until(() => events.length === 2);
        assert.deepEqual(events[1], { sounds: [announced(flow, first).id], end: 'interrupted' });
      }));
  });

  it('inside a subflow, sends the id of its template node', () =>
    listening(
      async (flow, events) => {
        flow.send('copy', { payload: url });
        await until(() => events.length > 0);
        const [event] = events;
        assert.deepEqual([event?.node, event && 'template' in event && event.template], ['copy-ear', 'ear']);
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
    'ftp://nas/a.wav',
    'data:audio/wav;base64,AAAA',
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
    it(`rejects ${typeof payload === 'string' ? payload : (JSON.stringify(payload) ?? 'undefined')} with the expected formats`, () =>
      listening(async (flow, events) => {
        flow.send('ear', { payload });
        const { message, source, cause } = caughtError(await flow.out('caught'));
        assert.match(message, /payload .*expected .*WAV or MP3/);
        assert.equal(source.id, 'ear');
        assert.equal(cause.code, 'bad-request');
        assert.deepEqual(events, []);
      }));
  }

  const files = [
    'a.wav',
    'sounds/door bell.MP3',
    './a.wav',
    '~/a.wav',
    'C:\\sounds\\a.wav',
    'c:/a.wav',
    '\\\\nas\\sounds\\a.wav',
    'file:///home/me/a.wav',
  ];
  for (const payload of files)
    it(`rejects the path of a file, such as ${payload}, and names the node that reads it`, () =>
      listening(async (flow, events) => {
        flow.send('ear', { payload });
        const { message, cause } = caughtError(await flow.out('caught'));
        assert.match(message, /^payload ".*not the path of a file: read the file with a “read file” node/);
        assert.equal(cause.code, 'bad-request');
        assert.deepEqual(events, []);
      }));

  const causes: [what: string, payload: unknown, status: string][] = [
    ['a text', 'hello', 'Not audio'],
    ['a Buffer without audio', Buffer.from('hello'), 'Not audio'],
    ['the path of a file', 'a.wav', 'Path, not audio'],
    ['the URL of raw audio', '/a.ulaw', 'Raw audio'],
  ];
  for (const [what, payload, status] of causes)
    it(`has the red status "${status}" after ${what}, until the next message`, () =>
      listening(async (flow, events) => {
        flow.send('ear', { payload });
        const failed = await flow.out('status-of');
        assert.deepEqual(statusTexts([failed]), [status]);
        assert.equal(propertyOf(failed['status'], 'fill'), 'red');
        flow.send('ear', { payload: url });
        assert.deepEqual(statusTexts([await flow.out('status-of')]), ['']);
        assert.equal(events.length, 1);
      }));

  it('replies 404 for unknown audio', () =>
    listening(async (_flow, _events, origin) => {
      assert.equal((await fetch(`${origin}/herald/listen/unknown`)).status, 404);
    }));
});
