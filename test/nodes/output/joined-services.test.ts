import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { inspectAudio, MarkSigner, readMark, verifyAudio } from '@herald-speech/client';
import { decodeParts } from './decoded-parts.js';
import { tone, wav } from '../../audio/tools.js';
import { describing, LONG_TEXT } from '../account/spoken.js';
import { type Flow, hostedAccount, KEY, speechNode, withFlow } from '../../support/node-red/flow.js';
import { audioOf, speechOf } from '../../support/node-red/messages.js';
import { refused, type Script, withServer } from '../../support/net/scripted-server.js';
import { useDataFolder } from '../../support/service/local-service.js';

/** Returns a service that speaks some pieces, each a tone of two seconds, and then fails. */
const service = (level: number, sampleRate: number, most: number): Script =>
  describing(VOICES, () => {
    left.set(sampleRate, (left.get(sampleRate) ?? most) - 1);
    if ((left.get(sampleRate) ?? 0) < 0) return refused(500);
    const body = Buffer.from(wav(tone({ seconds: 2, level, sampleRate }), sampleRate));
    return { headers: { 'content-type': 'audio/wav' }, body };
  });

const VOICES = [{ voice_id: 'voice-1', gender: 'female', language: ['en'] }];

/** Pieces that a service still speaks, by its sample rate. */
const left = new Map<number, number>();

describe('the audio of a text that several services spoke', () => {
  const folder = useDataFolder();
  const hasty = { attempts: '1', voice_id: 'voice-1', concurrency: '1' };
  const run = (work: (flow: Flow) => Promise<void>) =>
    withServer(service(0.1, 24_000, 1), (first) =>
      withServer(service(0.32, 16_000, 1), (second) =>
        withServer(service(0.9, 22_050, 100), (third) =>
          withFlow(
            [
              hostedAccount(first.url, { ...hasty, fallback: 'account:second' }),
              hostedAccount(second.url, { ...hasty, id: 'second', fallback: 'account:third' }),
              hostedAccount(third.url, { ...hasty, id: 'third' }),
              speechNode('text-to-speech', { retry_attempts: '1' }),
            ],
            work,
            {
              credentials: { account: { apiKey: KEY }, second: { apiKey: KEY }, third: { apiKey: KEY } },
              settings: { userDir: folder() },
            },
          ),
        ),
      ),
    );
  beforeEach(() => left.clear());

  const send = async (flow: Flow, fields: object) => {
    left.clear();
    flow.send('node', { payload: LONG_TEXT, cache: false, ...fields });
    return flow.out('done');
  };

  /** Fails unless a file is complete, with the signed mark and pieces of one loudness. */
  async function check(file: Uint8Array, message: Parameters<typeof speechOf>[0]): Promise<void> {
    const { chunks, sampleRate, fallback, duration } = speechOf(message);
    assert.equal(fallback?.from, 2);
    const info = inspectAudio(file);
    assert.equal(info.sampleRate, sampleRate);
    assert.ok(Math.abs(info.duration - duration) < 0.2 && Math.abs(duration - 10) < 0.2);
    assert.equal(readMark(file)?.voice, 'voice-1');
    const { key } = new MarkSigner(await readFile(path.join(folder(), 'mark-key.pem'), 'utf8'));
    assert.equal(verifyAudio(file, [key]).verdict, 'unchanged');
    assert.equal(chunks.length, 5);
    const levels = await decodeParts(file, chunks);
    assert.ok(Math.max(...levels) - Math.min(...levels) < 1, levels.join(', '));
  }

  it('has one sample rate, one loudness and the mark in a Buffer, as WAV and as MP3', () =>
    run(async (flow) => {
      for (const output_format of ['wav', 'mp3-64', 'asterisk-wav']) {
        const message = await send(flow, { output_format });
        await check(audioOf(message), message);
        if (output_format === 'wav') assert.equal(speechOf(message).sampleRate, 24_000);
      }
    }));

  it('has one sample rate, one loudness and the mark in a file', () =>
    run(async (flow) => {
      const filename = path.join(folder(), 'joined.wav');
      const message = await send(flow, { output: 'file', filename, output_format: 'wav' });
      await check(await readFile(filename), message);
    }));

  it('has one sample rate, one loudness and the mark in each piece', () =>
    run(async (flow) => {
      const levels: number[] = [];
      let message = await send(flow, { output: 'pieces' });
      for (let index = 0; index < 5; index += 1) {
        if (index > 0) message = await flow.out('done');
        const file = audioOf(message);
        assert.equal(inspectAudio(file).sampleRate, 24_000);
        assert.equal(readMark(file)?.voice, 'voice-1');
        levels.push(...(await decodeParts(file, [{ start: 0, duration: 2 }])));
      }
      assert.ok(Math.max(...levels) - Math.min(...levels) < 1, levels.join(', '));
    }));
});
