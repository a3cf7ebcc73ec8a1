import assert from 'node:assert/strict';
import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import * as fc from 'fast-check';
import {
  type Flow,
  type FlowNode,
  speechNode,
  watchers,
  withHostedFlow,
} from '../../../support/node-red/flow.js';
import { errorOf, speechOf, statusTexts } from '../../../support/node-red/messages.js';
import {
  refused,
  type Scripted,
  type ScriptedServer,
  type Seen,
  spoken,
} from '../../../support/net/scripted-server.js';
import { until } from '../../../support/waiting.js';

const node = (more: object = {}) => speechNode('text-to-speech', more);

/** Replies at once, except to the text "stay": that request stays open until the client closes it. */
const script = async ({ json, gone }: Seen): Promise<Scripted> => {
  if (json['text'] === 'stay') await once(gone, 'abort');
  return spoken();
};

const withNode = (
  properties: object,
  work: (flow: Flow, server: ScriptedServer) => Promise<void>,
  others: FlowNode[] = [],
) => withHostedFlow(script, [node(properties), ...others], work);

/** Sends the text "stay" and resolves when the service has received it. */
async function occupy(flow: Flow, { requests }: ScriptedServer, more: object = {}): Promise<void> {
  flow.send('node', { payload: 'stay', topic: 'stay', ...more });
  await until(() => requests.some(({ json }) => json['text'] === 'stay'));
}

const say = (flow: Flow, topic: string, more: object = {}) =>
  flow.send('node', { payload: `${topic}.`, topic, ...more });

const topicsAt = (flow: Flow, id: string) => flow.received(id).map(({ topic }) => topic);
const textsOf = ({ requests }: ScriptedServer) => requests.map(({ json }) => json['text']);

describe('msg.reset', () => {
  for (const reset of [true, 'please', '', false, undefined]) {
    it(`sends the current and all queued messages to fatal as aborted, once and in order, if the value is ${JSON.stringify(reset)}`, () =>
      withNode({}, async (flow, server) => {
        await occupy(flow, server);
        for (const topic of ['one', 'two']) say(flow, topic);
        await nextTurn();
        flow.send('node', { reset });
        await until(() => flow.received('fatal').length === 3);
        assert.deepEqual(topicsAt(flow, 'fatal'), ['stay', 'one', 'two']);
        for (const message of flow.received('fatal')) {
          const { code, message: text } = errorOf(message);
          assert.deepEqual([code, text], ['aborted', 'stopped by msg.reset']);
        }
        say(flow, 'after');
        assert.equal((await flow.out('done')).topic, 'after');
        assert.deepEqual(textsOf(server), ['stay', 'after.']);
        assert.equal(flow.received('fatal').length, 3);
      }));
  }

  it('completes without output, even if the message has a payload', () =>
    withNode(
      {},
      async (flow, server) => {
        flow.send('node', { reset: true, payload: 'Not spoken.', topic: 'reset' });
        await flow.out('completed');
        say(flow, 'after');
        await flow.out('done');
        assert.deepEqual(topicsAt(flow, 'completed'), ['reset', 'after']);
        assert.deepEqual(textsOf(server), ['after.']);
        assert.deepEqual(topicsAt(flow, 'done'), ['after']);
        for (const id of ['retryable', 'fatal']) assert.deepEqual(flow.received(id), []);
      },
      watchers,
    ));

  it('from an inject node with an empty value speaks nothing, also not the timestamp', () =>
    withNode(
      {},
      async (flow, server) => {
        flow.send('node', { reset: '', payload: 1_795_366_001_315, topic: 'reset' });
        await flow.out('completed');
        say(flow, 'after');
        await flow.out('done');
        assert.deepEqual(textsOf(server), ['after.']);
      },
      watchers,
    ));

  it('clears the status', () =>
    withNode(
      {},
      async (flow, server) => {
        await occupy(flow, server);
        say(flow, 'waits');
        flow.send('node', { reset: true });
        await until(() => flow.received('fatal').length === 2);
        await until(() => statusTexts(flow.received('status-of')).at(-1) === '');
      },
      watchers,
    ));

  it('completes the stopped messages if fatal has no wire, without an error for Catch nodes and the log', () =>
    withNode(
      { wires: [['done'], ['retryable'], [], []] },
      async (flow, server) => {
        await occupy(flow, server);
        say(flow, 'waits');
        flow.send('node', { reset: true, topic: 'reset' });
        await until(() => flow.received('completed').length === 3);
        assert.deepEqual(new Set(topicsAt(flow, 'completed')), new Set(['reset', 'stay', 'waits']));
        for (const id of ['caught', 'retryable', 'done']) assert.deepEqual(flow.received(id), []);
        assert.doesNotMatch(flow.logged().join(), /stopped by msg\.reset/);
      },
      watchers,
    ));

  for (const type of ['predict-duration', 'voice-search', 'credits', 'clone-voice']) {
    it(`aborts the request of ${type}`, () =>
      withHostedFlow(
        async ({ gone }) => {
          await once(gone, 'abort');
          return {};
        },
        [speechNode(type, { files: 'payload', filesType: 'msg' })],
        async (flow, { requests }) => {
          const payload = type === 'clone-voice' ? spoken().body : 'Hello.';
          flow.send('node', { payload, name: 'Me' });
          await until(() => requests.length > 0);
          flow.send('node', { reset: true });
          assert.equal(errorOf(await flow.out('fatal')).code, 'aborted');
        },
      ));
  }
});

describe('queue mode', () => {
  it('lets messages wait for earlier ones by default', () =>
    withNode({}, async (flow) => {
      for (const topic of ['one', 'two', 'three']) say(flow, topic);
      for (const topic of ['one', 'two', 'three']) assert.equal((await flow.out('done')).topic, topic);
    }));

  it('replace: sends queued messages to fatal as superseded and continues the current one', () =>
    withNode({ order: 'replace' }, async (flow, server) => {
      await occupy(flow, server);
      for (const topic of ['old', 'older', 'new']) {
        say(flow, topic);
        await nextTurn();
      }
      await until(() => flow.received('fatal').length === 2);
      assert.deepEqual(topicsAt(flow, 'fatal'), ['old', 'older']);
      const { code, message } = errorOf(await flow.out('fatal'));
      assert.deepEqual([code, message], ['superseded', 'a newer message replaced this one']);
      flow.send('node', { reset: true });
      await until(() => flow.received('fatal').length === 4);
      assert.deepEqual(topicsAt(flow, 'fatal').slice(2), ['stay', 'new']);
    }));

  it('interrupt: sends also the current message to fatal as superseded', () =>
    withNode({ order: 'interrupt' }, async (flow, server) => {
      await occupy(flow, server);
      say(flow, 'now');
      assert.equal((await flow.out('done')).topic, 'now');
      const stopped = await flow.out('fatal');
      const { code, message } = errorOf(stopped);
      assert.deepEqual(
        [stopped.topic, code, message],
        ['stay', 'superseded', 'a newer message interrupted this one'],
      );
    }));

  it('comes from the message if the property names a message field', () =>
    withNode({ order: 'how', orderType: 'msg' }, async (flow, server) => {
      await occupy(flow, server);
      say(flow, 'waits');
      say(flow, 'interrupts', { how: 'interrupt' });
      assert.equal((await flow.out('done')).topic, 'interrupts');
      await until(() => flow.received('fatal').length === 2);
      assert.deepEqual(topicsAt(flow, 'fatal'), ['stay', 'waits']);
    }));

  it('is copied to msg.speech.order for players', () =>
    withNode({ order: 'interrupt' }, async (flow) => {
      say(flow, 'alarm', { order: 'wait' });
      assert.equal(speechOf(await flow.out('done')).order, 'interrupt');
    }));

  it('comes from msg.order if the property is blank', () =>
    withNode({ order: '' }, async (flow, server) => {
      await occupy(flow, server);
      say(flow, 'interrupts', { order: 'interrupt' });
      assert.equal((await flow.out('done')).topic, 'interrupts');
    }));

  it('is rejected on fatal after earlier messages if msg.order is invalid', () =>
    withNode({ order: '' }, async (flow) => {
      say(flow, 'spoken');
      say(flow, 'wrong', { order: 'hurry' });
      assert.equal((await flow.out('done')).topic, 'spoken');
      assert.match(
        errorOf(await flow.out('fatal')).message,
        /^msg\.order is "hurry": .*"wait"\|"replace"\|"interrupt"/,
      );
    }));

  it('interrupt: continues a message of higher priority', () =>
    withNode({ order: 'interrupt' }, async (flow, server) => {
      await occupy(flow, server, { priority: 10 });
      say(flow, 'weather');
      await nextTurn();
      await nextTurn();
      assert.deepEqual(flow.received('fatal'), []);
      say(flow, 'fire', { priority: 11 });
      assert.equal((await flow.out('done')).topic, 'fire');
      assert.deepEqual(topicsAt(flow, 'fatal'), ['stay', 'weather']);
    }));
});

describe('msg.priority', () => {
  it('sends a message of higher priority before queued ones', () =>
    withNode({}, async (flow) => {
      say(flow, 'first');
      say(flow, 'weather');
      say(flow, 'chatter', { priority: -1 });
      say(flow, 'alarm', { priority: 1 });
      await until(() => flow.received('done').length === 4);
      assert.ok(['alarm', 'first'].includes(String(topicsAt(flow, 'done')[0])));
      const others = topicsAt(flow, 'done').filter((topic) => topic !== 'first');
      assert.deepEqual(others, ['alarm', 'weather', 'chatter']);
    }));

  it('counts as 0 if it is not a number', () =>
    withNode({}, async (flow) => {
      const invalid = ['high', 'Infinity', Number.NaN, null, undefined, {}];
      say(flow, 'first');
      say(flow, 'low', { priority: -1 });
      for (const [index, priority] of invalid.entries()) say(flow, `invalid ${index}`, { priority });
      say(flow, 'zero', { priority: 0 });
      await until(() => flow.received('done').length === invalid.length + 3);
      assert.deepEqual(
        topicsAt(flow, 'done').filter((topic) => topic !== 'first'),
        [...invalid.map((_, index) => `invalid ${index}`), 'zero', 'low'],
      );
    }));

  it('sends a message before messages of other nodes that wait for the rate limit', () =>
    withHostedFlow(
      (_request, index) => (index === 0 ? refused(429, { 'retry-after': '1' }) : spoken()),
      [node(), node({ id: 'other' }), ...watchers],
      async (flow, server) => {
        say(flow, 'weather');
        await until(() => statusTexts(flow.received('status-of')).includes('Waiting 1 s'));
        flow.send('other', { payload: 'fire.', priority: 1 });
        await until(() => flow.received('done').length === 2);
        assert.deepEqual(textsOf(server), ['weather.', 'fire.', 'weather.']);
      },
    ));
});

/** Messages to one node, in bursts, with any queue mode, priority and reset. */
const bursts = fc.array(
  fc.array(
    fc.record({
      payload: fc.constantFrom('stay', 'Hello.', 'Hello again.'),
      order: fc.constantFrom('wait', 'replace', 'interrupt'),
      priority: fc.integer({ min: 0, max: 1 }),
      reset: fc.constantFrom(false, false, false, true),
    }),
    { maxLength: 6 },
  ),
  { minLength: 1, maxLength: 4 },
);

describe('a text to speech node under any mix of queue modes, priorities and resets', () => {
  it('sends every message exactly once and ends without an activity in its status', () =>
    withNode(
      { order: '' },
      async (flow) => {
        let sent = 0;
        const left = () => [...topicsAt(flow, 'done'), ...topicsAt(flow, 'fatal')];
        await fc.assert(
          fc.asyncProperty(bursts, async (all) => {
            const expected: string[] = [];
            const before = left().length;
            for (const burst of all) {
              for (const { reset, ...message } of burst) {
                const topic = String((sent += 1));
                if (!reset) expected.push(topic);
                flow.send('node', { ...message, topic, ...(reset && { reset }) });
              }
              await nextTurn();
            }
            flow.send('node', { reset: true });
            await until(() => left().length >= before + expected.length);
            // The last message can end before the reset arrives: its result then stays. Without a message the node never
            // sets a status.
            await until(() =>
              ['', 'Done, 0.1 s'].includes(statusTexts(flow.received('status-of')).at(-1) ?? ''),
            );
            assert.equal(left().length, before + expected.length);
            assert.ok(expected.every((topic) => left().filter((one) => one === topic).length === 1));
          }),
          // Each smaller example would wait for its own deadline.
          { numRuns: 60, endOnFailure: true },
        );
      },
      watchers,
    ));
});
