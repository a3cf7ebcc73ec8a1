import assert from 'node:assert/strict';
import { hostedAccount, KEY } from '../support/flow.js';
import { audioOf, errorOf } from '../support/messages.js';
import { refused, type Script, spoken, withServer } from '../support/scripted-server.js';
import { type Running, withExample } from './example.js';

describe('doorbell with retry, at a service that fails', () => {
  /** Longer than a message may take: the node itself doesn't wait for it. */
  const busy = refused(503, { 'retry-after': '200' });

  /** The example at a scripted service; its delay node notes how long it should wait, and does not. */
  const failing = (script: Script, work: (flow: Running, requests: () => number) => Promise<void>) =>
    withServer(script, ({ url, requests }) =>
      withExample('doorbell-with-retry', (flow) => work(flow, () => requests.length), {
        other: {
          'doorbell-account': { ...hostedAccount(url), id: 'doorbell-account' },
          'doorbell-wait': { pauseType: 'delay', timeout: '1', timeoutUnits: 'milliseconds' },
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
});
