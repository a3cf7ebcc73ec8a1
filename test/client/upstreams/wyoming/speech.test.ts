import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { parseWav } from '../../../../client/audio/index.js';
import { type Client, type ClientOptions, z } from '../../../../client/index.js';
import {
  createClonedVoice,
  createSpeech,
  getCredits,
  streamSpeech,
} from '../../../../client/interface/operations.js';
import { inSixteenBits } from '../../../../client/upstreams/wyoming/pcm.js';
import {
  audioEvents,
  infoOf,
  type ScriptedWyoming,
  send,
  speaking,
  speaks,
  type WyomingScript,
  withWyoming,
} from '../../../support/net/wyoming-server.js';
import { rejection } from '../../../support/rejection.js';
import { withClient } from '../../../support/service/client-for.js';

const upstream = { kind: 'wyoming' } as const;
const request = { voice_id: 'v1', text: 'Dinner is ready.', language: 'en' };

const withSpeech = <Result>(
  script: WyomingScript,
  work: (client: Client, server: ScriptedWyoming) => Promise<Result>,
  options: Partial<ClientOptions> = {},
) =>
  withWyoming(script, (server) =>
    withClient({ url: server.url, upstream, ...options }, (client) => work(client, server)),
  );

const speakers = [{ name: 'p1' }, { name: 'p 2' }];
const described: WyomingScript = (event, socket, index) => {
  if (event.type === 'describe')
    send(socket, infoOf({ name: 'libri', languages: ['de_DE', 'en_GB'], speakers }));
  else void speaks(event, socket, index);
};

describe('speech of a Wyoming server', () => {
  it('is one synthesize event with text, voice, language and speaker, on its own connection', () =>
    withSpeech(described, async (client, server) => {
      const choices = {
        libri: { name: 'libri', language: 'en_GB' },
        'libri#p%202': { name: 'libri', speaker: 'p 2', language: 'en_GB' },
        'unlisted#p3': { name: 'unlisted', speaker: 'p3', language: 'en' },
      };
      for (const [voice_id, voice] of Object.entries(choices)) {
        await client.call(createSpeech, { ...request, voice_id });
        assert.deepEqual(server.events.at(-1)?.data, { text: request.text, voice });
      }
      assert.equal(server.events.filter(({ type }) => type === 'synthesize').length, 3);
      assert.equal(server.connections(), server.events.length);
    }));

  it('has no name of a voice without a chosen one, so that the default voice of the server speaks', () => {
    // Piper lists each voice of its catalogue as installed, and has one of them.
    const listing: WyomingScript = (event, socket, index) => {
      if (event.type === 'describe')
        return send(socket, infoOf({ name: 'a', languages: ['en_GB'] }, { name: 'b', languages: ['de_DE'] }));
      const named = z.object({ voice: z.object({ name: z.string() }) }).safeParse(event.data).success;
      if (!named) return speaks(event, socket, index);
      return send(socket, { type: 'error', data: { code: 'VoiceNotFoundError', text: 'a' } });
    };
    return withSpeech(listing, async (client, server) => {
      const chosen = await client.complete({});
      await client.speak({ ...chosen, text: request.text });
      assert.deepEqual(server.events.at(-1)?.data, { text: request.text, voice: { language: 'en' } });
      assert.equal(client.voiceName(chosen.voice_id), 'Default of the server');
      const { voice_id } = await client.complete({ language: 'de' });
      const { code, message } = await rejection(client.speak({ ...request, voice_id, language: 'de' }));
      assert.equal(code, 'not-found');
      assert.match(
        message,
        /voice_id "?b"?: the server does not have this voice.*Choose a voice that it has/,
      );
    });
  });

  it('keeps samples of 16 bits in mono and stereo unchanged, at any rate', () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 384_000 }),
        fc.constantFrom(1, 2),
        fc.uint8Array({ minLength: 4, maxLength: 9000 }),
        async (rate, channels, bytes) => {
          const samples = Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 4)));
          const script = speaking((_, socket) => send(socket, ...audioEvents(samples, { rate, channels })));
          const speech = await withSpeech(script, (client) => client.call(createSpeech, request));
          const { format, data } = parseWav(speech.audio);
          assert.deepEqual(format, { encoding: 'pcm', sampleRate: rate, channels, bitsPerSample: 16 });
          assert.ok(Buffer.from(data).equals(samples));
          assert.equal(speech.duration, samples.length / 2 / channels / rate);
        },
      ),
      { numRuns: 30 },
    ));

  it('becomes 16 bits from 8, 24 and 32 bits, and mono from more than two channels', () => {
    const numbers = [-32_768, -12_544, -256, 0, 256, 12_800, 32_512];
    for (const width of [1, 2, 3, 4]) {
      for (const channels of [1, 2, 3, 6]) {
        const bytes = Buffer.alloc(numbers.length * width * channels);
        for (const [place, number] of numbers.entries()) {
          for (let channel = 0; channel < channels; channel++) {
            const at = (place * channels + channel) * width;
            if (width === 1) bytes.writeUInt8(number / 256 + 128, at);
            else bytes.writeIntLE(number * 256 ** (width - 2), at, width);
          }
        }
        const { pieces, channels: kept } = inSixteenBits([bytes], { rate: 8000, width, channels });
        assert.equal(kept, channels <= 2 ? channels : 1);
        const samples = Buffer.concat(pieces);
        const wanted = numbers.flatMap((number) => Array.from({ length: kept }, () => number));
        const got = wanted.map((_, place) => samples.readInt16LE(place * 2));
        assert.deepEqual(got, wanted, `${width} bytes, ${channels} channels`);
        assert.equal(samples.length, wanted.length * 2);
      }
    }
    // The loudest sample of 32 bits stays in range, and channels are mixed by their mean.
    const loud = Buffer.alloc(4);
    loud.writeInt32LE(0x7fffffff);
    assert.equal(
      Buffer.concat(inSixteenBits([loud], { rate: 1, width: 4, channels: 1 }).pieces).readInt16LE(),
      32_767,
    );
    const three = Buffer.alloc(6);
    for (const [place, value] of [300, 600, -300].entries()) three.writeInt16LE(value, place * 2);
    assert.equal(
      Buffer.concat(inSixteenBits([three], { rate: 1, width: 2, channels: 3 }).pieces).readInt16LE(),
      200,
    );
  });

  it('joins the pieces of a long text to one file', () =>
    withSpeech(speaks, async (client, server) => {
      const text = 'The door is open and the lights are on. '.repeat(30);
      const { audio, chunks } = await client.speak({ ...request, text });
      const spoken = server.events.filter(({ type }) => type === 'synthesize');
      assert.ok(spoken.length >= 4);
      assert.equal(chunks.length, spoken.length);
      assert.ok(spoken.every(({ data }) => String(data['text']).length <= 300));
      assert.equal(parseWav(audio).data.length, spoken.length * 4410);
    }));

  it('is refused before a connection if the server lacks the operation, a field or the format', () =>
    withSpeech(speaks, async (client, server) => {
      const refused = [
        client.call(getCredits, {}),
        // The missing operation counts before the invalid name.
        client.call(createClonedVoice, { name: '', files: new Uint8Array() }),
        client.call(streamSpeech, request),
        client.call(createSpeech, { ...request, output_format: 'mp3' }),
        client.call(createSpeech, { ...request, style: 'happy' }),
        client.call(createSpeech, { ...request, voice_settings: { speed: 1.2 } }),
      ];
      for (const call of refused) assert.equal((await rejection(call)).code, 'not-supported');
      assert.equal(server.connections(), 0);
    }));

  it('is asked for one piece at a time by default', async () => {
    let running = 0;
    let most = 0;
    const script = speaking((_, socket) => {
      running += 1;
      most = Math.max(most, running);
      setTimeout(() => {
        running -= 1;
        send(socket, ...audioEvents(Buffer.alloc(400)));
      }, 20);
    });
    await withSpeech(script, (client) =>
      client.speak({ ...request, text: 'This is a sentence. '.repeat(60) }),
    );
    assert.equal(most, 1);
  });
});
