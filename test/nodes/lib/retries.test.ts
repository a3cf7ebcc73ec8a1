import assert from 'node:assert/strict';
import {
  type Flow,
  type FlowNode,
  speechNode,
  watchers,
  withHostedFlow,
} from '../../support/node-red/flow.js';
import { errorOf, speechOf, statusTexts } from '../../support/node-red/messages.js';
import { refused, type Script, type Seen, spoken } from '../../support/net/scripted-server.js';
import { until } from '../../support/waiting.js';

/** A 503 whose pause is above the deadline of a call, so that only the node can retry. */
const busy = (seconds: number) => refused(503, { 'retry-after': String(seconds) });
/** An account whose client does not retry by itself. */
const once = { account: { attempts: '1' } };
const node = (more: object = {}): FlowNode => ({
  ...speechNode('text-to-speech'),
  retry_attempts: '',
  ...more,
});
const failsFirst =
  (count: number, reply = refused(503)): Script =>
  (_request, index) =>
    index < count ? reply : spoken();
const greet = (flow: Flow, more: object = {}) => flow.send('node', { payload: 'Hello.', ...more });

describe('the retries of a text to speech node', () => {
  it('speaks after two failures without any configuration, and shows the wait', () =>
    withHostedFlow(
      failsFirst(2),
      [node(), ...watchers],
      async (flow, { requests }) => {
        greet(flow);
        const message = await flow.out('done');
        assert.ok(speechOf(message).duration > 0);
        assert.equal('error' in message, false);
        assert.equal(requests.length, 3);
        const texts = statusTexts(flow.received('status-of')).join();
        assert.match(texts, /2 s.*4 s/);
      },
      once,
    ));

  it('ends after the set number of attempts, with the sum of the requests', () =>
    withHostedFlow(
      () => refused(503),
      [node({ retry_attempts: '2' })],
      async (flow, { requests }) => {
        greet(flow);
        const { attempts, code } = errorOf(await flow.out('retryable'));
        assert.deepEqual([attempts, code, requests.length], [2, 'service-failed', 2]);
      },
      once,
    ));

  it('requests only the missing chunks of a long text again', () => {
    const text = Array.from(
      { length: 8 },
      (_, index) => `Sentence ${index + 1} ${'goes on and on '.repeat(11)}.`,
    );
    const isLast = ({ json }: Seen) => String(json['text']).startsWith('Sentence 8');
    return withHostedFlow(
      (request) => (isLast(request) ? refused(503) : spoken()),
      [node({ retry_attempts: '2' })],
      async (flow, { requests }) => {
        greet(flow, { payload: text.join(' ') });
        const { attempts, chunk } = errorOf(await flow.out('retryable'));
        assert.equal(requests.length, 8 + 1);
        assert.equal(requests.filter(isLast).length, 2);
        assert.deepEqual([attempts, chunk?.index, chunk?.count], [2, 7, 8]);
      },
      { account: { attempts: '1', concurrency: '1' } },
    );
  });

  it('does not wait longer than the maximum wait, and keeps the retryAfter of the service', () =>
    withHostedFlow(
      () => busy(200),
      [node({ retry_wait: '100' })],
      async (flow, { requests }) => {
        greet(flow);
        assert.equal(errorOf(await flow.out('retryable')).retryAfter, 200);
        assert.equal(requests.length, 1);
      },
    ));

  it('are off with one attempt, also from the message', () =>
    withHostedFlow(
      () => refused(503),
      [node()],
      async (flow, { requests }) => {
        greet(flow, { retry_attempts: '1' });
        await flow.out('retryable');
        assert.equal(requests.length, 1);
      },
      once,
    ));

  for (const status of [400, 401, 402, 404]) {
    it(`do not repeat a ${status}`, () =>
      withHostedFlow(
        () => refused(status),
        [node({ wires: [[], ['failed'], ['failed'], ['failed']] })],
        async (flow, { requests }) => {
          greet(flow);
          await flow.out('failed');
          assert.equal(requests.length, 1);
        },
      ));
  }

  const unanswered: Record<string, { code: string; script: Script }> = {
    'a lost connection': { code: 'no-reply', script: () => ({ lost: true }) },
    'a time-out before the first byte': { code: 'no-reply', script: () => new Promise(() => {}) },
    'a 408': { code: 'timed-out', script: () => refused(408) },
  };
  for (const [cause, { code, script }] of Object.entries(unanswered)) {
    it(`do not repeat a request after ${cause}, because the service may have charged it`, () =>
      withHostedFlow(
        script,
        [node()],
        async (flow, { requests }) => {
          greet(flow);
          const error = errorOf(await flow.out('retryable'));
          assert.deepEqual([error.code, error.attempts, requests.length], [code, 2, 2]);
        },
        { account: { attempts: '2', firstByteTimeout: '0.2' } },
      ));
  }

  const stops: Record<string, (flow: Flow) => unknown> = {
    'msg.reset': (flow) => flow.send('node', { reset: true }),
    'a newer message in mode interrupt': (flow) => greet(flow, { topic: 'new', order: 'interrupt' }),
    'the stop of the node': (flow) => flow.node('node').close(false),
  };
  for (const [cause, stop] of Object.entries(stops)) {
    it(`stop at once by ${cause} during a wait`, () =>
      withHostedFlow(
        (_request, index) => (index === 0 ? busy(130) : spoken()),
        [node({ retry_wait: '3600' }), ...watchers],
        async (flow, { requests }) => {
          greet(flow, { topic: 'old' });
          await until(() => statusTexts(flow.received('status-of')).some((text) => text.includes('130 s')));
          await stop(flow);
          const { topic, ...message } = await flow.out('fatal');
          assert.equal(topic, 'old');
          assert.equal(errorOf(message).route, 'stopped');
          if (cause.includes('newer')) assert.equal((await flow.out('done')).topic, 'new');
          else assert.equal(requests.length, 1);
        },
      ));
  }

  it('reject values out of range with the field and its rule', () =>
    withHostedFlow(
      () => spoken(),
      [node()],
      async (flow, { requests }) => {
        for (const [retry_attempts, says] of [
          ['0', /^msg\.retry_attempts is 0: /],
          ['21', /^msg\.retry_attempts is 21: /],
          ['1.5', /^msg\.retry_attempts is 1\.5: /],
        ] as const) {
          greet(flow, { retry_attempts });
          assert.match(errorOf(await flow.out('fatal')).message, says);
        }
        assert.equal(requests.length, 0);
      },
    ));
});
