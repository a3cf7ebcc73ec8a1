import assert from 'node:assert/strict';
import { z } from '@herald-speech/client';
import { shareLocalService } from '../../support/service/local-service.js';
import { describeWith } from '../../support/programs/describe-with.js';
import { withSoundSystem } from '../../support/programs/pulseaudio.js';
import { errorOf } from '../../support/node-red/messages.js';
import { type Running, withExample } from '../example.js';

const played = z.object({
  speech: z.object({ played: z.array(z.object({ speaker: z.string(), proof: z.string() })) }),
});

describeWith(['pulseaudio'], 'example players/speaker', () => {
  shareLocalService();

  it('plays the announcement on the sound card of this computer, and shows the proof', () =>
    withSoundSystem(() =>
      withExample('players/speaker', async (flow: Running) => {
        flow.press('speaker-press');
        const { speech } = played.parse(await flow.first('speaker-played'));
        assert.deepEqual(
          speech.played.map(({ speaker, proof }) => [speaker, proof]),
          [['This computer', 'drained']],
        );
      }),
    ));

  it('names the problem of a missing sound card', () =>
    withSoundSystem(() =>
      withExample(
        'players/speaker',
        async (flow: Running) => {
          flow.press('speaker-press');
          assert.match(errorOf(await flow.first('speaker-error')).message, /This computer/);
        },
        { other: { 'speaker-here': { address: 'no-such-card' } } },
      ),
    ));
});
