import assert from 'node:assert/strict';
import { announce, type Played } from '../../speakers/announce/announce.js';
import { computer } from '../../speakers/computer/computer.js';
import { SpeakerFault } from '../../speakers/fault.js';
import { reasonOf } from './reason.js';
import type { FoundSpeaker } from '../../speakers/kind.js';
import { randomBytes } from 'node:crypto';
import { describeWith } from '../support/programs/describe-with.js';
import { RATE, withSoundSystem } from '../support/programs/pulseaudio.js';
import { never, until } from '../support/waiting.js';

/** Bytes of a second of samples. */
const SECOND = 2 * RATE;

describeWith(['pulseaudio'], 'the sound card of this computer', () => {
  const samples = randomBytes(SECOND);
  const play = (options: { sink?: string; volume?: number; signal?: AbortSignal } = {}): Promise<Played> => {
    const { sink = '', volume, signal = never } = options;
    const sound = {
      duration: samples.length / SECOND,
      url: '',
      pcm: async () => ({ data: samples, sampleRate: RATE, channels: 1 }),
      isFetched: () => false,
    };
    const journal = { begin: async () => {}, end: async () => {} };
    const announcement = { sound, settings: { volume, together: async () => {} }, journal };
    return announce(computer, { address: sink }, announcement, signal);
  };

  it('plays each sample once, and says that the sound system played them all', () =>
    withSoundSystem(async ({ heard }) => {
      const { proof } = await play();
      assert.equal(proof, 'drained');
      // The monitor of a null sink begins with some milliseconds of the silence that the sink had prepared.
      const rest = samples.subarray(SECOND / 20);
      await until(() => heard().includes(rest.subarray(-1000)));
      const start = heard().indexOf(rest.subarray(0, 1000));
      const end = start + rest.length;
      assert.ok(heard().subarray(start, end).equals(rest));
      await until(() => heard().length > end + SECOND);
      assert.ok(
        heard()
          .subarray(end)
          .every((byte) => byte === 0),
      );
    }));

  it('plays at an eighth of the amplitude at half of the volume', () =>
    withSoundSystem(async ({ heard }) => {
      await play({ volume: 50 });
      const loudest = (data: Buffer) => {
        let most = 0;
        for (let at = 0; at + 1 < data.length; at += 2) most = Math.max(most, data.readInt16LE(at));
        return most;
      };
      assert.ok(Math.abs(loudest(heard()) - loudest(samples) / 8) <= 1);
    }));

  it('is silent at once when the announcement is stopped', () =>
    withSoundSystem(async ({ heard }) => {
      const stop = new AbortController();
      const playing = play({ signal: stop.signal });
      await until(() => heard().some((byte) => byte !== 0));
      stop.abort(new Error('a stop'));
      await assert.rejects(playing, /a stop/);
      const stopped = heard().length;
      await until(() => heard().length > stopped + SECOND);
      assert.ok(
        heard()
          .subarray(stopped + SECOND / 4)
          .every((byte) => byte === 0),
      );
    }));

  it('is found with its name, and names the fault of a card that does not exist', () =>
    withSoundSystem(async ({ sink }) => {
      const found: FoundSpeaker[] = [];
      for await (const speaker of computer.find(never)) found.push(speaker);
      assert.deepEqual(
        found.map(({ address }) => address),
        [sink],
      );
      await play({ sink });
      assert.equal(await reasonOf(play({ sink: 'attic' })), 'speaker-no-sound');
    }));

  it('names the sound systems if none of them runs', async () => {
    const former = process.env['PULSE_SERVER'];
    process.env['PULSE_SERVER'] = 'unix:/nowhere/native';
    try {
      await assert.rejects(play(), (error) => {
        assert.ok(error instanceof SpeakerFault);
        assert.match(
          error.textFor('Office').english,
          /^Office: .*Check that PipeWire, PulseAudio or ALSA runs/,
        );
        return true;
      });
    } finally {
      if (former === undefined) delete process.env['PULSE_SERVER'];
      else process.env['PULSE_SERVER'] = former;
    }
  });
});

describe('this computer without a program that plays audio', () => {
  it('names the packages that have one', async () => {
    const former = process.env['PATH'] ?? '';
    process.env['PATH'] = '/nowhere';
    try {
      await assert.rejects(computer.connect({ address: '' }, never), (error) => {
        assert.ok(error instanceof SpeakerFault);
        assert.match(error.textFor('Office').english, /pipewire-bin, pulseaudio-utils or alsa-utils/);
        return error.isUnreachable;
      });
    } finally {
      process.env['PATH'] = former;
    }
  });
});

describe('the address of a sound card', () => {
  for (const address of ['attic --volume=65536', 'attic\tkitchen', ' '])
    it(`is refused before any program starts: ${JSON.stringify(address)}`, async () => {
      assert.equal(await reasonOf(computer.connect({ address }, never)), 'speaker-unreachable');
    });
});
