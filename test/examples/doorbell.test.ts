import assert from 'node:assert/strict';
import { once } from 'node:events';
import { hostedAccount, KEY } from '../support/node-red/flow.js';
import { audioOf, errorOf } from '../support/node-red/messages.js';
import { refused, type Script, spoken, withServer } from '../support/net/scripted-server.js';
import { type Running, withExample } from './example.js';
import { until } from '../support/waiting.js';

describe('doorbell with retry at a failing service', () => {
  /** A pause above the time limit of a message, so the node does not retry by itself. */
  const busy = refused(503, { 'retry-after': '200' });

  /** Runs the example at a scripted service. By default, its delay node records the delay and waits 1 ms. */
  const failing = (
    script: Script,
    work: (flow: Running, requests: () => number) => Promise<void>,
    wait: object = { pauseType: 'delay', timeout: '1', timeoutUnits: 'milliseconds' },
  ) =>
    withServer(
      script,
      ({ url, requests }) =>
        withExample('doorbell-with-retry', (flow) => work(flow, () => requests.length), {
          other: {
            // A fallback would stop the requests for 15 s after three failures.
            'doorbell-account': hostedAccount(url, { id: 'doorbell-account', fallback: '' }),
            'doorbell-wait': wait,
          },
          credentials: { 'doorbell-account': { apiKey: KEY } },
        }),
      undefined,
      { describesVoices: false },
    );

  const delays = (flow: Running) => flow.seen('doorbell-wait').map(({ delay }) => delay);

  it('retries 3 times after the delay of the service, then writes to the alarm log', () =>
    failing(
      () => busy,
      async (flow, requests) => {
        flow.press('doorbell-press');
        const logged = await flow.first('doorbell-log');
        assert.equal(errorOf(logged).status, 503);
        assert.match(String(logged.payload), /at the front door\.$/);
        assert.deepEqual(delays(flow), [200_000, 200_000, 200_000]);
        assert.equal(requests(), 4);
      },
    ));

  it('plays the announcement if a retry succeeds', () =>
    failing(
      (_request, index) => (index < 2 ? busy : spoken()),
      async (flow, requests) => {
        flow.press('doorbell-press');
        assert.ok(audioOf(await flow.first('doorbell-listen')).length > 44);
        assert.deepEqual([requests(), flow.seen('doorbell-log').length], [3, 0]);
      },
    ));

  it('waits 2, 4 and 8 seconds if the service sends no delay', () =>
    failing(
      () => busy,
      async (flow) => {
        for (const retries of [0, 1, 2]) flow.send('doorbell-count', { retries, error: {} });
        await flow.at('doorbell-wait', 3);
        assert.deepEqual(delays(flow).slice(0, 3), [2000, 4000, 8000]);
      },
    ));

  for (const status of [400, 402]) {
    it(`writes a ${status} to the alarm log without a retry`, () =>
      failing(
        () => refused(status),
        async (flow, requests) => {
          flow.press('doorbell-press');
          assert.equal(errorOf(await flow.first('doorbell-log')).status, status);
          assert.deepEqual([requests(), delays(flow)], [1, []]);
        },
      ));
  }

  /** Returns the played messages without those that stop the listen node. */
  const announced = (flow: Running) =>
    flow.seen('doorbell-listen').filter(({ payload }) => Buffer.isBuffer(payload));

  /** The first request fails, the second one hangs until it is aborted, all others succeed. */
  const stuck: Script = async ({ gone }, index) => {
    if (index === 0) return busy;
    if (index === 1) await once(gone, 'abort');
    return spoken();
  };

  const stops: Record<string, (flow: Running) => Promise<void>> = {
    'msg.reset': async (flow) => flow.press('doorbell-quiet'),
    'a deploy that restarts only the text to speech node': (flow) =>
      flow.deploy(
        flow.nodes.map((node) => (node.id === 'doorbell-speak' ? { ...node, name: 'changed' } : node)),
      ),
  };
  for (const [cause, stop] of Object.entries(stops)) {
    it(`does not retry a message stopped by ${cause}, and writes to the alarm log`, () =>
      failing(stuck, async (flow, requests) => {
        flow.press('doorbell-press');
        await until(() => requests() === 2);
        await stop(flow);
        assert.equal(errorOf(await flow.first('doorbell-log')).code, 'aborted');
        flow.press('doorbell-press');
        await until(() => announced(flow).length === 1);
        assert.deepEqual([requests(), flow.seen('doorbell-count').length], [3, 1]);
        assert.equal(flow.seen('doorbell-log').length, 1);
      }));
  }

  it('drops a message that waits for its retry when the quiet button is pressed', () =>
    failing(
      (_request, index) => (index === 0 ? busy : spoken()),
      async (flow, requests) => {
        flow.press('doorbell-press');
        await flow.at('doorbell-wait');
        flow.press('doorbell-quiet');
        await flow.at('doorbell-wait', 2);
        // Releases all messages that the delay node still holds.
        flow.send('doorbell-wait', { flush: true });
        flow.press('doorbell-press');
        await flow.at('doorbell-speak', 3);
        await until(() => announced(flow).length === 1);
        assert.equal(requests(), 2);
      },
      { pauseType: 'delayv' },
    ));
});
