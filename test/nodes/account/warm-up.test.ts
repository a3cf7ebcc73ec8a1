import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createClient } from '@herald-speech/client';
import { openLocalService } from '../../../nodes/account/connection.js';
import { warmUp } from '../../../nodes/account/warm-up.js';
import { withFlow } from '../../support/node-red/flow.js';
import { withServer } from '../../support/net/scripted-server.js';
import { useDataFolder } from '../../support/service/local-service.js';
import { until } from '../../support/waiting.js';

const voiceOf = () => Promise.resolve({ voice_id: 'anna', language: 'en' });
/** An account whose service never becomes ready. */
const hanging = (begun: (signal: AbortSignal) => void) => ({
  defaults: {},
  connect: async (signal: AbortSignal): Promise<never> => {
    begun(signal);
    await once(signal, 'abort');
    throw signal.reason;
  },
});

describe('the start of an engine before the first message', () => {
  useDataFolder();

  it('is not delayed by another connection with the same voice that hangs, and ends with its connection', () =>
    withServer(
      () => ({ body: { duration: 1 } }),
      async ({ url, requests }) => {
        const former = new AbortController();
        const signals: AbortSignal[] = [];
        const ended = warmUp(
          hanging((signal) => signals.push(signal)),
          voiceOf,
          former.signal,
        );
        await until(() => signals.length === 1);
        const client = createClient({ url, apiKey: 'key' });
        const account = { defaults: {}, connect: () => Promise.resolve(client) };
        await warmUp(account, voiceOf, new AbortController().signal);
        assert.ok(requests.some(({ path }) => path.startsWith('/v1/predict-duration/')));
        former.abort();
        await ended;
        assert.equal(signals[0]?.aborted, true);
        await client.close();
      },
      undefined,
      { describesVoices: false },
    ));

  it('does not begin if the connection closes before the flows start, and ends with a later close', () =>
    withFlow([], async (flow) => {
      const begun: AbortSignal[] = [];
      const [early, late] = [openLocalService(flow.RED), openLocalService(flow.RED)];
      for (const connection of [early, late]) connection.prepare((closing) => begun.push(closing));
      await early.close();
      await flow.deploy([]);
      assert.deepEqual(
        begun.map(({ aborted }) => aborted),
        [false],
      );
      await late.close();
      assert.deepEqual(
        begun.map(({ aborted }) => aborted),
        [true],
      );
    }));
});
