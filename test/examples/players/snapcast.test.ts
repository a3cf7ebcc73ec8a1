import assert from 'node:assert/strict';
import { describeWith } from '../../support/programs/describe-with.js';
import { shareLocalService } from '../../support/service/local-service.js';
import { audioOf } from '../../support/node-red/messages.js';
import { SECOND, withSnapcast } from '../../support/programs/snapcast.js';
import { failureAt } from '../announced.js';
import { withExample } from '../example.js';

describeWith(['snapserver', 'snapclient'], 'example players/snapcast', () => {
  shareLocalService();

  it('plays the announcement in a room of a real Snapcast server, in real time', () =>
    withSnapcast(({ port, heard }) =>
      withExample(
        'players/snapcast',
        async (flow) => {
          flow.press('snap-press');
          const audio = (await heard()).length / SECOND;
          const sent = flow.seen('snap-send').map((message) => audioOf(message).length);
          const seconds = sent.reduce((sum, length) => sum + length, 0) / SECOND;
          // Without the second of silence. A busy computer may lose some milliseconds.
          assert.ok(seconds > 2 && Math.abs(seconds - 1 - audio) < 0.7, `${audio} of ${seconds} seconds`);
        },
        { other: { 'snap-send': { port: String(port) } } },
      ),
    ));

  it('shows a failed synthesis', () =>
    withExample('players/snapcast', async (flow) => {
      assert.equal(await failureAt(flow, { speak: 'snap-speak', errors: 'snap-error' }), 'not-found');
    }));
});
