import assert from 'node:assert/strict';
import { z } from '@herald-speech/client';
import { shareLocalService } from '../../support/service/local-service.js';
import { audible, failureAt, secondsAt } from '../announced.js';
import { withExample } from '../example.js';
import { until } from '../../support/waiting.js';

const modules = [require('../stubs/sonos.js')];
const announced = z.object({ payload: z.url(), volume: z.number() });

describe('example players/sonos', () => {
  shareLocalService();

  it('plays each announcement after the one before, with its volume', () =>
    withExample(
      'players/sonos',
      (flow) =>
        audible(flow, async (base_url) => {
          for (let count = 0; count < 3; count += 1) flow.send('sonos-press', { base_url });
          await flow.at('sonos-finished', 3);
          assert.deepEqual(flow.seen('sonos-failed'), []);
          for (const message of flow.seen('sonos-play')) {
            const { payload, volume } = announced.parse(message);
            assert.equal(volume, 35);
            assert.ok((await secondsAt(payload)) > 1);
          }
        }),
      { modules },
    ));

  it('plays the next announcement after a player that cannot reach the URL', () =>
    withExample(
      'players/sonos',
      (flow) =>
        audible(flow, async (base_url) => {
          flow.send('sonos-press', { base_url: 'http://127.0.0.1:9' });
          flow.send('sonos-press', { base_url });
          await until(() => flow.seen('sonos-finished').length === 2);
          assert.equal(flow.seen('sonos-failed').length, 1);
        }),
      { modules },
    ));

  it('shows a failed synthesis', () =>
    withExample(
      'players/sonos',
      async (flow) => {
        assert.equal(await failureAt(flow, { speak: 'sonos-speak', errors: 'sonos-error' }), 'not-found');
      },
      { modules },
    ));
});
