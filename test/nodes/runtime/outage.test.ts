import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { OUTAGE_MS } from '../../../nodes/runtime/outage.js';
import { speechNode, watchers, withHostedFlow } from '../../support/node-red/flow.js';
import { refused, type Script, spoken } from '../../support/net/scripted-server.js';
import { until } from '../../support/waiting.js';

const once = { account: { attempts: '1' } };

describe('an outage of the service', () => {
  it('is reported once when the service has answered 500 for more than five minutes, and again in a new outage', async () => {
    let late = 0;
    const now = performance.now.bind(performance);
    const clock = mock.method(performance, 'now', () => now() + late);
    let reply = refused(500);
    const script: Script = () => reply;
    const node = { ...speechNode('text-to-speech'), retry_attempts: '1' };
    try {
      await withHostedFlow(
        script,
        [node, ...watchers],
        async (flow) => {
          const hints = () => flow.logged().filter((line) => line.includes('contact its support'));
          const send = async (minutes: number, port: 'done' | 'retryable' = 'retryable') => {
            late += minutes * 60_000;
            const before = flow.received(port).length;
            flow.send('node', { payload: 'Hello.' });
            await until(() => flow.received(port).length > before);
          };
          for (const minutes of [0, 2, 2]) await send(minutes);
          assert.deepEqual(hints(), []);
          for (const minutes of [2, 2, 2]) await send(minutes);
          assert.equal(hints().length, 1, flow.logged().join('\n'));
          assert.match(hints()[0] ?? '', new RegExp(`more than ${OUTAGE_MS / 60_000} minutes`));
          reply = spoken();
          await send(0, 'done');
          reply = refused(500);
          await send(0);
          await send(4);
          assert.equal(hints().length, 1);
          await send(2);
          assert.equal(hints().length, 2);
        },
        once,
      );
    } finally {
      clock.mock.restore();
    }
  });
});
