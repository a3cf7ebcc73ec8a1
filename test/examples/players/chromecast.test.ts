import assert from 'node:assert/strict';
import { z } from '@herald-speech/client';
import { shareLocalService } from '../../support/service/local-service.js';
import { audible, failureAt } from '../announced.js';
import { withExample } from '../example.js';

const modules = [require('../stubs/cast.js')];
const state = z.object({ payload: z.object({ type: z.string() }) });

describe('example players/chromecast', () => {
  shareLocalService();

  it('sets the volume and plays the announcement, and keeps the next one until it is over', () =>
    withExample(
      'players/chromecast',
      (flow) =>
        audible(flow, async (base_url) => {
          flow.send('cast-press', { base_url });
          flow.send('cast-press', { base_url });
          const messages = await flow.at('cast-state', 2);
          assert.deepEqual(messages.map((message) => state.parse(message).payload.type).toSorted(), [
            'MEDIA',
            'VOLUME',
          ]);
          await flow.at('cast-queue', 2);
          assert.equal(flow.seen('cast-media').length, 1);
          assert.deepEqual(flow.seen('cast-failed'), []);
        }),
      { modules },
    ));

  it('shows a device that cannot reach the URL, and a failed synthesis', () =>
    withExample(
      'players/chromecast',
      async (flow) => {
        flow.send('cast-press', { base_url: 'http://127.0.0.1:9' });
        await flow.first('cast-failed');
        assert.equal(await failureAt(flow, { speak: 'cast-speak', errors: 'cast-error' }), 'not-found');
      },
      { modules },
    ));
});
