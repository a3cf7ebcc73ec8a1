import assert from 'node:assert/strict';
import { once } from 'node:events';
import { hostedAccount, KEY, until } from '../support/flow.js';
import { audioOf, errorOf } from '../support/messages.js';
import { refused, type Script, spoken, withServer } from '../support/scripted-server.js';
import { type Running, withExample } from './example.js';

describe('doorbell with retry, at a service that fails', () => {
  /** Longer than a message may take: the node itself doesn't wait for it. */
  const busy = refused(503, { 'retry-after': '200' });

  /** The example at a scripted service; its delay node notes how long it should wait, and does not unless it is told to. */
  const failing = (
    script: Script,
    work: (flow: Running, requests: () => number) => Promise<void>,
    wait: object = { pauseType: 'delay', timeout: '1', timeoutUnits: 'milliseconds' },
  ) =>
    withServer(script, ({ url, requests }) =>
      withExample('doorbell-with-retry', (flow) => work(flow, () => requests.length), {
        other: {
          'doorbell-account': { ...hostedAccount(url), id: 'doorbell-account' },
          'doorbell-wait': wait,
        },
        credentials: { 'doorbell-account': { apiKey: KEY } },
      }),
    );

  const delays = (flow: Running) => flow.seen('doorbell-wait').map(({ delay }) => delay);

  it('tries again 3 times, as late as the service asks for, and then tells the alarm log', () =>
    failing(
      () => busy,
      async (flow, requests) => {
        flow.press('doorbell-press');
        const given = await flow.first('doorbell-log');
        assert.equal(errorOf(given).status, 503);
        assert.equal(given.payload, 'There is somebody at the front door.');
        assert.deepEqual(delays(flow), [200_000, 200_000, 200_000]);
        assert.equal(requests(), 4);
      },
    ));

  it('is heard when the service is back in time', () =>
    failing(
      (_request, index) => (index < 2 ? busy : spoken()),
      async (flow, requests) => {
        flow.press('doorbell-press');
        assert.ok(audioOf(await flow.first('doorbell-listen')).length > 44);
        assert.deepEqual([requests(), flow.seen('doorbell-log').length], [3, 0]);
      },
    ));

  it('waits 2, 4 and 8 seconds where the service does not say how long', () =>
    failing(
      () => busy,
      async (flow) => {
        for (const retries of [0, 1, 2]) flow.send('doorbell-count', { retries, error: {} });
        await flow.at('doorbell-wait', 3);
        assert.deepEqual(delays(flow).slice(0, 3), [2000, 4000, 8000]);
      },
    ));

  for (const status of [400, 402]) {
    it(`tells the alarm log at once where another try won't help (${status})`, () =>
      failing(
        () => refused(status),
        async (flow, requests) => {
          flow.press('doorbell-press');
          assert.equal(errorOf(await flow.first('doorbell-log')).status, status);
          assert.deepEqual([requests(), delays(flow)], [1, []]);
        },
      ));
  }

  /** What is played, but for the message that silences it. */
  const announced = (flow: Running) =>
    flow.seen('doorbell-listen').filter(({ payload }) => Buffer.isBuffer(payload));

  /** The first try fails, the second one takes until it is stopped, and every other speaks. */
  const stuck: Script = async ({ gone }, index) => {
    if (index === 0) return busy;
    if (index === 1) await once(gone, 'abort');
    return spoken();
  };

  const stops: Record<string, (flow: Running) => Promise<void>> = {
    'msg.reset': async (flow) => flow.press('doorbell-quiet'),
    'a deploy that starts its node anew, and leaves the loop as it is': (flow) =>
      flow.deploy(
        flow.nodes.map((node) => (node.id === 'doorbell-speak' ? { ...node, name: 'changed' } : node)),
      ),
  };
  for (const [what, stop] of Object.entries(stops)) {
    it(`lets go for good of what is stopped by ${what}, and tells the alarm log`, () =>
      failing(stuck, async (flow, requests) => {
        flow.press('doorbell-press');
        await until(() => requests() === 2);
        await stop(flow);
        assert.equal(errorOf(await flow.first('doorbell-log')).code, 'aborted');
        flow.press('doorbell-press');
        await until(() => announced(flow).length === 1);
        assert.deepEqual([requests(), flow.seen('doorbell-count').length], [3, 2]);
        assert.equal(flow.seen('doorbell-log').length, 1);
      }));
  }

  it('forgets what waits for its next try when it is to be quiet', () =>
    failing(
      (_request, index) => (index === 0 ? busy : spoken()),
      async (flow, requests) => {
        flow.press('doorbell-press');
        await flow.at('doorbell-wait');
        flow.press('doorbell-quiet');
        await flow.at('doorbell-wait', 2);
        // Whatever the delay node still holds would come now.
        flow.send('doorbell-wait', { flush: true });
        flow.press('doorbell-press');
        await flow.at('doorbell-speak', 3);
        await until(() => announced(flow).length === 1);
        assert.equal(requests(), 2);
      },
      { pauseType: 'delayv' },
    ));
});
