import assert from 'node:assert/strict';
import { announce } from '../../speakers/announce/announce.js';
import { computer } from '../../speakers/computer/computer.js';
import { mpd as mpdKind } from '../../speakers/mpd/mpd.js';
import { SnapcastControl } from '../../speakers/snapcast/rpc.js';
import { snapcast } from '../../speakers/snapcast/snapcast.js';
import { type Group, statusIn } from '../../speakers/snapcast/status.js';
import { noise } from '../players/publish.js';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describeWith } from '../support/programs/describe-with.js';
import { cdOf, type Mpd, SONGS, withMpd } from '../support/programs/mpd.js';
import { RATE, withSoundSystem } from '../support/programs/pulseaudio.js';
import { SECOND, withSnapcast } from '../support/programs/snapcast.js';
import { testsAtOnce } from '../support/at-once.js';
import { never, until } from '../support/waiting.js';
import { resultOf } from './reason.js';
import { withStage } from './stage.js';

/** The actions of another program during an announcement, and the results. docs/speaker-proof.md has the same table. */
describeWith(['mpd'], 'an announcement on MPD while another program', () => {
  const itAtOnce = testsAtOnce();
  const SECONDS = 3;
  // MPD that misses a command answers after its buffer: all of a small file, and then nothing proves the position.
  const cd = () => cdOf(SECONDS);
  const statusOf = async (mpd: Mpd): Promise<Record<string, string>> =>
    Object.fromEntries((await mpd.run('status')).map((line) => line.split(': ')));
  const rows: [did: string, commands: string[], result: string][] = [
    ['pauses and goes on', ['pause 1', 'pause 0'], 'position'],
    ['skips', ['next'], 'speaker-short'],
    ['mutes', ['setvol 0'], 'position, speaker-silent'],
    ['sets the volume', ['setvol 40'], 'position'],
  ];
  for (const [did, commands, result] of rows)
    itAtOnce(`${did}: ${result}`, () =>
      withMpd((mpd) =>
        withStage(
          mpdKind,
          SECONDS,
          async ({ play }) => {
            for (const song of SONGS) await mpd.run(`add ${song}`);
            await mpd.run('play 0');
            const playing = resultOf(play(mpd.address));
            await until(async () => {
              const { song, elapsed } = await statusOf(mpd);
              return song === '2' && Number(elapsed) > 0.5;
            });
            for (const command of commands) await mpd.run(command);
            assert.equal(await playing, result);
          },
          cd,
        ),
      ),
    );
});

describeWith(['snapserver', 'snapclient'], 'an announcement on Snapcast while another program', () => {
  const itAtOnce = testsAtOnce();
  const samples = noise((2 * SECOND) / 16_000);
  const rows: [did: string, method: string, params: (group: Group) => object, result: string][] = [
    ['mutes the group', 'Group.SetMute', ({ id }) => ({ id, mute: true }), 'accepted, speaker-silent'],
    [
      'turns the player down',
      'Client.SetVolume',
      ({ clients: [client] }) => ({ id: client?.id, volume: { percent: 0, muted: false } }),
      'accepted, speaker-silent',
    ],
    [
      'sets the volume',
      'Client.SetVolume',
      ({ clients: [client] }) => ({ id: client?.id, volume: { percent: 40, muted: false } }),
      'streamed',
    ],
    ['plays another source', 'Group.SetStream', ({ id }) => ({ id, stream_id: 'Music' }), 'speaker-skipped'],
  ];
  for (const [did, method, params, result] of rows)
    itAtOnce(`${did}: ${result}`, () =>
      withSnapcast(
        async ({ control: port }) => {
          const control = await SnapcastControl.open('127.0.0.1', port, never);
          const group = async () => statusIn(await control.ask('Server.GetStatus')).groups[0];
          await until(async () => (await group())?.clients[0]?.isConnected === true);
          const sound = {
            duration: 2,
            url: '',
            pcm: async () => ({ data: samples, sampleRate: 48_000, channels: 2 }),
            isFetched: () => false,
          };
          const journal = { begin: async () => {}, end: async () => {} };
          const announcement = { sound, settings: { together: async () => {} }, journal };
          const playing = resultOf(announce(snapcast, { address: `127.0.0.1:${port}` }, announcement, never));
          await until(async () => (await group())?.stream === 'Announcements');
          await control.ask(method, params((await group()) ?? assert.fail()));
          assert.equal(await playing, result);
          control.close();
        },
        { hasMusic: true },
      ),
    );
});

describeWith(['pulseaudio'], 'an announcement on the sound card while another program', () => {
  const rows: [did: string, command: string, result: string][] = [
    ['mutes the card', 'set-sink-mute room 1', 'drained'],
    ['sets the volume', 'set-sink-volume room 40%', 'drained'],
  ];
  for (const [did, command, result] of rows)
    it(`${did}: ${result}`, () =>
      withSoundSystem(async ({ heard }) => {
        const sound = {
          duration: 1,
          url: '',
          pcm: async () => ({ data: noise(6).subarray(0, 2 * RATE), sampleRate: RATE, channels: 1 }),
          isFetched: () => false,
        };
        const journal = { begin: async () => {}, end: async () => {} };
        const announcement = { sound, settings: { together: async () => {} }, journal };
        const playing = resultOf(announce(computer, { address: '' }, announcement, never));
        await until(() => heard().some((byte) => byte !== 0));
        await promisify(execFile)('pactl', command.split(' '));
        assert.equal(await playing, result);
      }));
});
