import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describeWith } from '../../support/programs/describe-with.js';
import { withSoundSystem } from '../../support/programs/pulseaudio.js';
import { useDataFolder } from '../../support/service/local-service.js';
import { spawned } from '../../support/spawned.js';
import { until } from '../../support/waiting.js';
import { announcing, playedIn, RATE, SECOND, speakerNode, withSpeakers } from './speaking-flow.js';

/** Returns half a second of a level that names the text: no two announcements can be mixed without a trace. */
const levelOf = (text: string): number => text.charCodeAt(0) * 100;
const speech = (text: string): Buffer => {
  const samples = Buffer.alloc(SECOND / 2);
  for (let at = 0; at < samples.length; at += 2) samples.writeInt16LE(levelOf(text), at);
  return samples;
};
const room = (more: object = {}) => speakerNode('Office', { kind: 'computer', address: 'room', ...more });
const samplesIn = (data: Buffer): number[] =>
  Array.from({ length: Math.floor(data.length / 2) }, (_, index) => data.readInt16LE(index * 2));

describeWith(['pulseaudio'], 'the output "Speaker" on the sound card of this computer', () => {
  useDataFolder();

  it('plays the announcements of two nodes one after another, never mixed', () =>
    withSoundSystem(({ heard }) =>
      withSpeakers(speech, [room(), announcing(), announcing({ id: 'other' })], async (say, flow) => {
        const texts = ['A', 'B', 'C', 'D', 'E', 'F'];
        for (const [index, text] of texts.entries()) say(text, {}, index % 2 === 0 ? 'node' : 'other');
        for (const _ of texts) assert.equal(playedIn(await flow.out('done'))[0]?.proof, 'drained');
        const levels = texts.map(levelOf);
        const played = () => samplesIn(heard()).filter((sample) => sample !== 0);
        // A null sink loses some milliseconds at the start of a stream.
        await until(() =>
          levels.every((level) => played().filter((sample) => sample === level).length > RATE * 0.4),
        );
        assert.deepEqual(
          [...new Set(played())].sort((a, b) => a - b),
          levels,
        );
        // Each level is one run of samples: nothing comes between its start and its end.
        const runs = played().filter((sample, index, all) => sample !== all[index - 1]);
        assert.deepEqual(
          runs.sort((a, b) => a - b),
          levels,
        );
      }),
    ));

  it('plays although the account has a malformed base URL, which only speakers that fetch the audio need', () =>
    withSoundSystem(() =>
      withSpeakers(
        speech,
        [room(), speakerNode('kitchen', { kind: 'mpd', address: '127.0.0.1:9' }), announcing()],
        async (say, flow) => {
          const noUrl = { base_url: undefined };
          say('A', { ...noUrl, speakers: ['Office'] });
          assert.equal(playedIn(await flow.out('done'))[0]?.proof, 'drained');
          say('A', { ...noUrl, speakers: ['Office', 'kitchen'] });
          const { error } = await flow.out('fatal');
          assert.match(JSON.stringify(error), /audioBaseUrl/);
        },
        { account: { audioBaseUrl: 'nonsense' } },
      ),
    ));

  it('adds the wake-up time of the speaker as silence before the first word', () =>
    withSoundSystem(() =>
      withSpeakers(speech, [room({ wake_up: '1.5' }), announcing()], async (say, flow) => {
        say('A');
        const { speech: { duration = 0 } = {} } = (await flow.out('done')) as {
          speech?: { duration?: number };
        };
        assert.equal(duration, 2);
      }),
    ));

  it('lowers the music of another program meanwhile, and sets its volume back', () =>
    withSoundSystem(({ heard }) =>
      withSpeakers(speech, [room(), announcing()], async (say, flow) => {
        const music = spawned(
          spawn(
            'pacat',
            ['--playback', '--raw', '--format=s16le', `--rate=${RATE}`, '--channels=1', '--device=room'],
            {
              stdio: ['pipe', 'ignore', 'ignore'],
            },
          ),
        );
        // The program is killed while it reads.
        music.stdin?.on('error', () => undefined);
        const level = 20_000;
        const second = Buffer.from(new Int16Array(RATE).fill(level).buffer);
        music.stdin?.write(Buffer.concat(Array.from({ length: 20 }, () => second)));
        try {
          await until(() => samplesIn(heard()).includes(level));
          say('A');
          await flow.out('done');
          const [quiet, end] = [Math.round(level * 0.46 ** 3), heard().length];
          const isNear = (sample: number, wanted: number) => Math.abs(sample - wanted) < 40;
          assert.ok(samplesIn(heard()).some((sample) => isNear(sample, quiet + levelOf('A'))));
          await until(() => samplesIn(heard().subarray(end)).some((sample) => isNear(sample, level)));
        } finally {
          const ended = once(music, 'exit');
          music.kill('SIGKILL');
          await ended;
        }
      }),
    ));
});
