import assert from 'node:assert/strict';
import { errorOf } from '../../support/node-red/messages.js';
import { noise, SECOND as NOISE_SECOND } from '../../players/publish.js';
import { describeWith } from '../../support/programs/describe-with.js';
import { type Mpd, SONGS, withMpd } from '../../support/programs/mpd.js';
import { useDataFolder } from '../../support/service/local-service.js';
import { until } from '../../support/waiting.js';
import { announcing, playedIn, SECOND, speakerNode, withSpeakers } from './speaking-flow.js';

/** Returns noise of as many seconds as the text names. */
const speech = (text: string) =>
  noise(Math.ceil((Number(text) * SECOND) / NOISE_SECOND)).subarray(0, Number(text) * SECOND);

const statusOf = async (mpd: Mpd): Promise<Record<string, string>> =>
  Object.fromEntries((await mpd.run('status')).map((line) => line.split(': ')));
const isPlaying = async (mpd: Mpd) =>
  (await mpd.run('currentsong')).some((line) => line.includes('/herald/audio/'));
const kitchen = (mpd: Mpd, more: object = {}) =>
  speakerNode('kitchen', { kind: 'mpd', address: mpd.address, ...more });
const playMusic = async (mpd: Mpd) => {
  for (const song of SONGS) await mpd.run(`add ${song}`);
  await mpd.run('setvol 60');
  await mpd.run('play 0');
};

describeWith(['mpd'], 'the output "Speaker" on a player of MPD', () => {
  useDataFolder();

  it('sends the message when the sound has ended, with start, end and proof of the speaker', () =>
    withMpd((mpd) =>
      withSpeakers(speech, [kitchen(mpd), announcing()], async (say, flow) => {
        say('1.5');
        const message = await flow.out('done');
        assert.equal(await isPlaying(mpd), false);
        assert.match(String(message.payload), /\/herald\/audio\/\w+\.wav$/);
        const [played, ...others] = playedIn(message);
        assert.deepEqual(others, []);
        assert.deepEqual([played?.speaker, played?.proof], ['kitchen', 'position']);
        const length = Date.parse(played?.end ?? '') - Date.parse(played?.start ?? '');
        assert.ok(Math.abs(length - 1500) < 1000, `${length} ms`);
      }),
    ));

  it('sends the message at the start of the sound with msg.speaker_when', () =>
    withMpd((mpd) =>
      withSpeakers(speech, [kitchen(mpd), announcing({ speaker_when: 'ended' })], async (say, flow) => {
        say('3', { speaker_when: 'started' });
        const [played] = playedIn(await flow.out('done'));
        assert.equal(await isPlaying(mpd), true);
        assert.deepEqual(Object.keys(played ?? {}), ['speaker', 'start']);
        await until(async () => !(await isPlaying(mpd)));
        assert.equal(flow.received('done').length, 1);
      }),
    ));

  it('plays with msg.volume, at most the maximum volume of the speaker, and continues the music with its own', () =>
    withMpd((mpd) =>
      withSpeakers(speech, [kitchen(mpd, { max_volume: '40' }), announcing()], async (say, flow) => {
        await playMusic(mpd);
        const volumes = new Set<string>();
        for (const more of [{ volume: 25 }, { volume: 90 }, {}]) {
          say('1', more);
          await until(() => isPlaying(mpd));
          await until(async () => {
            const { volume = '', elapsed = '0' } = await statusOf(mpd);
            if (Number(elapsed) > 0 && (await isPlaying(mpd))) volumes.add(volume);
            return volumes.has(more.volume === 25 ? '25' : '40');
          });
          await flow.out('done');
        }
        assert.deepEqual(
          [...volumes].filter((volume) => volume !== '60'),
          ['25', '40'],
        );
        const { state, song, volume } = await statusOf(mpd);
        assert.deepEqual([state, song, volume], ['play', '0', '60']);
      }),
    ));

  it('does not continue the music that it replaces', () =>
    withMpd((mpd) =>
      withSpeakers(speech, [kitchen(mpd), announcing({ music: 'pause' })], async (say, flow) => {
        await playMusic(mpd);
        say('0.5', { music: 'replace' });
        await flow.out('done');
        assert.equal((await statusOf(mpd))['state'], 'stop');
      }),
    ));

  it('plays the announcements of two nodes one after another', () =>
    withMpd((mpd) =>
      withSpeakers(speech, [kitchen(mpd), announcing(), announcing({ id: 'other' })], async (say, flow) => {
        say('1');
        say('1', {}, 'other');
        const both = [await flow.out('done'), await flow.out('done')].map((message) => playedIn(message)[0]);
        const [first, second] = both.sort((a, b) => (a?.start ?? '').localeCompare(b?.start ?? ''));
        assert.ok((second?.start ?? '') >= (first?.end ?? 'z'), JSON.stringify(both));
      }),
    ));

  it('ends the announcement of another node for one of a higher priority', () =>
    withMpd((mpd) =>
      withSpeakers(speech, [kitchen(mpd), announcing(), announcing({ id: 'alarm' })], async (say, flow) => {
        say('20', { topic: 'long' });
        await until(() => isPlaying(mpd));
        say('0.5', { topic: 'alarm', priority: 5 }, 'alarm');
        const cut = await flow.out('fatal');
        assert.deepEqual([cut['topic'], errorOf(cut).code], ['long', 'superseded']);
        assert.equal((await flow.out('done'))['topic'], 'alarm');
        assert.equal((await statusOf(mpd))['state'], 'stop');
      }),
    ));

  it('ends the announcement of another node in the queue mode "interrupt"', () =>
    withMpd((mpd) =>
      withSpeakers(
        speech,
        [kitchen(mpd), announcing(), announcing({ id: 'alarm', order: 'interrupt' })],
        async (say, flow) => {
          say('20', { topic: 'long' });
          await until(() => isPlaying(mpd));
          say('0.5', { topic: 'alarm' }, 'alarm');
          assert.equal(errorOf(await flow.out('fatal')).code, 'superseded');
          assert.equal((await flow.out('done'))['topic'], 'alarm');
        },
      ),
    ));

  it('starts an announcement of two speakers together within 300 ms', () =>
    withMpd((mpd) =>
      withMpd((second) =>
        withSpeakers(
          speech,
          [
            kitchen(mpd),
            speakerNode('bath', { kind: 'mpd', address: second.address }),
            announcing({ speakers: '["kitchen","bath"]' }),
          ],
          async (say, flow) => {
            say('1');
            const played = playedIn(await flow.out('done'));
            assert.deepEqual(
              played.map(({ speaker }) => speaker),
              ['kitchen', 'bath'],
            );
            const [a = 0, b = 0] = played.map(({ start = '' }) => Date.parse(start));
            assert.ok(Math.abs(a - b) < 300, `${a - b} ms`);
          },
        ),
      ),
    ));

  it('reports a killed player on retryable, names the one that played, and frees both', () =>
    withMpd((mpd) =>
      withMpd((second) =>
        withSpeakers(
          speech,
          [kitchen(mpd), speakerNode('bath', { kind: 'mpd', address: second.address }), announcing()],
          async (say, flow) => {
            say('2', { speaker: ['kitchen', 'bath'] });
            await until(() => isPlaying(second));
            await second.kill();
            const message = await flow.out('retryable');
            assert.match(errorOf(message).message, /bath/);
            assert.deepEqual(
              playedIn(message).map(({ speaker, proof }) => [speaker, proof]),
              [['kitchen', 'position']],
            );
            say('0.5', { speaker: 'kitchen' });
            say('0.5', { speaker: ['bath'] });
            assert.equal(errorOf(await flow.out('retryable')).code, 'no-connection');
            await flow.out('done');
          },
        ),
      ),
    ));

  it('reports on retryable that the player refused an address that it cannot fetch', () =>
    withMpd((mpd) =>
      withSpeakers(speech, [kitchen(mpd), announcing()], async (say, flow) => {
        say('1', { base_url: 'http://127.0.0.1:9' });
        const { code, message } = errorOf(await flow.out('retryable'));
        assert.equal(code, 'service-failed');
        assert.match(message, /kitchen/);
      }),
    ));

  it('ends the sound and restores the music when Node-RED closes the node', () =>
    withMpd((mpd) =>
      withSpeakers(speech, [kitchen(mpd), announcing()], async (say, flow) => {
        await playMusic(mpd);
        say('20');
        await until(() => isPlaying(mpd));
        await flow.close();
        assert.equal(await isPlaying(mpd), false);
        assert.equal((await statusOf(mpd))['state'], 'play');
      }),
    ));
});
