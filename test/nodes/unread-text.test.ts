import assert from 'node:assert/strict';
import { localAccount, speechNode, watchers, withFlow } from '../support/node-red/flow.js';
import { errorOf, statusTexts } from '../support/node-red/messages.js';
import { shareLocalService } from '../support/service/local-service.js';
import { until } from '../support/waiting.js';

describe('a text in a script that no voice reads', () => {
  shareLocalService();

  for (const [text, language, message] of [
    ['สวัสดีครับ', 'en', '"rms" does not speak Thai. Choose a voice that speaks Thai.'],
    ['שלום עולם', 'de', '"de-anna" does not speak Hebrew. Choose a voice that speaks Hebrew.'],
  ] as const) {
    it(`leaves on fatal, and error and status name the missing voice: ${text}`, () =>
      withFlow([localAccount(), speechNode('text-to-speech', { language }), ...watchers], async (flow) => {
        flow.send('node', { payload: text });
        const error = errorOf(await flow.out('fatal'));
        assert.deepEqual([error.code, error.message], ['bad-request', message]);
        const status = `No ${message.split(' ').at(-1)?.slice(0, -1)} voice`;
        await until(() => statusTexts(flow.received('status-of')).includes(status));
      }));
  }
});
