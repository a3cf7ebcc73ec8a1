import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { inspectAudio, z } from '@herald-speech/client';
import { spoken } from '../../../support/net/scripted-server.js';
import { Replay } from '../../../../nodes/runtime/activity/replay.js';
import { observed, say, sound, waitFor } from './observed.js';

describe('the replay of an announcement', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'herald-replay-'));
  });
  after(() => rm(folder, { recursive: true }));

  const outputs: [name: string, properties: () => object, mime: string][] = [
    ['a Buffer', () => ({}), 'audio/wav'],
    ['MP3', () => ({ output_format: 'mp3-64' }), 'audio/mpeg'],
    ['raw mu-law', () => ({ output_format: 'raw-8000-mulaw' }), 'audio/wav'],
    ['raw PCM', () => ({ output_format: 'asterisk-sln16' }), 'audio/wav'],
    ['a file', () => ({ output: 'file', filename: path.join(folder, 'a.wav') }), 'audio/wav'],
    ['a URL', () => ({ output: 'url' }), 'audio/wav'],
  ];
  for (const [name, properties, mime] of outputs) {
    it(`returns audio that browsers play for ${name}`, () =>
      observed(
        () => spoken({ seconds: 1 }),
        properties(),
        async (flow, { list, get }) => {
          say(flow, 'Dinner is ready.');
          await flow.out('done');
          const [one] = await list();
          assert.equal(one?.hasAudio, true);
          const reply = sound.parse(await get(`/audio?id=${one.id}`));
          assert.equal(reply.mime, mime);
          const { duration } = inspectAudio(Buffer.from(reply.audio, 'base64'));
          assert.ok(Math.abs(duration - 1) < 0.1, String(duration));
        },
      ));
  }

  it('keeps no Buffer above 64 MB in memory', () => {
    const replay = new Replay();
    const raw = { encoding: 'pcm', sampleRate: 22_050, channels: 1 };
    replay.add({ audio: new Uint8Array(64_000_001), isPiece: false, raw });
    assert.equal(replay.exists, false);
  });

  it('joins the pieces of a text', () =>
    observed(
      () => spoken({ seconds: 1 }),
      { output: 'pieces' },
      async (flow, { list, get }) => {
        say(flow, 'So it goes. '.repeat(50));
        const [first] = await waitFor(list, (all) => all[0]?.state === 'done');
        const { audio } = sound.parse(await get(`/audio?id=${first?.id}`));
        assert.equal(inspectAudio(Buffer.from(audio, 'base64')).duration, flow.received('done').length);
      },
    ));

  it('refuses a file that a newer announcement has replaced', () =>
    observed(
      () => spoken({ seconds: 1 }),
      { output: 'file', filename: path.join(folder, 'same.wav') },
      async (flow, { list, get }) => {
        say(flow, 'One.');
        await flow.out('done');
        const { endedAt } = z.object({ endedAt: z.number() }).parse(
          z
            .object({ announcements: z.array(z.unknown()) })
            .parse(await get(''))
            .announcements.at(-1),
        );
        while (Date.now() <= endedAt + 1) await new Promise(setImmediate);
        say(flow, 'Two.');
        await flow.out('done');
        const [two, one] = await list();
        assert.ok(sound.safeParse(await get(`/audio?id=${two?.id}`)).success);
        const { error } = z
          .object({ error: z.object({ code: z.string() }) })
          .parse(await get(`/audio?id=${one?.id}`));
        assert.equal(error.code, 'not-found');
      },
    ));

  it('is not found for an unknown announcement', () =>
    observed(
      () => spoken(),
      {},
      async (_flow, { get }) => {
        for (const id of ['0', '-1', 'x', '']) {
          const { error } = z
            .object({ error: z.object({ code: z.string() }) })
            .parse(await get(`/audio?id=${id}`));
          assert.equal(error.code, 'not-found');
        }
      },
    ));
});
