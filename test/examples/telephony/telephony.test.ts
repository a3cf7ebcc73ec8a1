import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { z } from '@herald-speech/client';
import { describeWith } from '../../support/programs/describe-with.js';
import { freePort } from '../../support/net/free-port.js';
import { shareLocalService } from '../../support/service/local-service.js';
import { errorOf } from '../../support/node-red/messages.js';
import { serving } from '../../support/net/serve.js';
import { useNodeRed } from '../../support/node-red/shared-node-red.js';
import { examples, type Running, secondsOf, withExample } from '../example.js';
import { startAsterisk } from './asterisk.js';
import { checkAsteriskWav, ffprobe, levelOf, soxSamples } from './formats.js';
import { callWebhook, fetchPlay, openStream } from './twilio.js';
import { until } from '../../support/waiting.js';

const textOf = (message: { payload?: unknown }) => z.string().parse(message.payload);

describe('telephony examples with the local service', () => {
  shareLocalService();
  const variables = ['ARI_URL', 'ARI_USER', 'BASE_URL'];
  const former = new Map(variables.map((name) => [name, process.env[name]]));
  afterEach(() => {
    for (const [name, value] of former) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  });

  describeWith(['ffprobe', 'sox'], 'Asterisk ARI', () => {
    const withAsterisk = async (
      work: (flow: Running, asterisk: Awaited<ReturnType<typeof startAsterisk>>) => Promise<void>,
    ) => {
      let audioServer = '';
      const asterisk = await startAsterisk((url) => fetch(audioServer + new URL(url).pathname));
      Object.assign(process.env, {
        ARI_URL: asterisk.url,
        ARI_USER: 'herald:secret',
        BASE_URL: 'http://node-red:1880',
      });
      try {
        await withExample(
          'telephony/asterisk-ari',
          (flow) =>
            serving(flow.RED.httpNode, async (url) => {
              audioServer = url;
              await asterisk.connected;
              await work(flow, asterisk);
            }),
          { other: { 'ari-events-client': { path: asterisk.events } } },
        );
      } finally {
        await asterisk.close();
      }
      assert.deepEqual(asterisk.problems, []);
    };

    it('calls a telephone, plays a WAV that Asterisk accepts, and hangs up at its end', () =>
      withAsterisk(async (flow, { played, ended }) => {
        flow.press('ari-press');
        await until(
          () => ended.length === 1,
          () => `not hung up: ${flow.logged().slice(-3).join('; ')}`,
        );
        const [playback] = played;
        assert.ok(playback !== undefined);
        assert.equal(playback.type, 'audio/wav');
        checkAsteriskWav(playback.audio);
        const { duration, ...format } = ffprobe('a.wav', playback.audio);
        assert.deepEqual(format, { codec: 'pcm_s16le', sampleRate: 8000, channels: 1 });
        const samples = soxSamples('a.wav', playback.audio);
        assert.ok(Math.abs(samples.length / 8000 - duration) < 0.001);
        assert.ok(levelOf(samples) > 0.02);
        assert.deepEqual(ended, [playback.channel]);
        assert.deepEqual(flow.seen('ari-error'), []);
      }));

    it('shows no password if Asterisk is not reached', () =>
      withAsterisk(async (flow) => {
        process.env['ARI_URL'] = `http://127.0.0.1:${await freePort()}/ari`;
        flow.press('ari-press');
        const { payload } = await flow.first('ari-called');
        assert.match(textOf({ payload }), /ECONNREFUSED/);
        assert.doesNotMatch(textOf({ payload }), /secret/);
      }));

    it('speaks to each of two incoming calls on its own channel', () =>
      withAsterisk(async (flow, asterisk) => {
        asterisk.call('1700000000.1');
        asterisk.call('1700000000.2');
        await until(
          () => asterisk.ended.length === 2,
          () => `not hung up: ${flow.logged().slice(-3).join('; ')}`,
        );
        const channels = asterisk.played.map(({ channel }) => channel);
        assert.deepEqual(
          channels.toSorted((a, b) => a.localeCompare(b)),
          ['1700000000.1', '1700000000.2'],
        );
      }));
  });

  describeWith(['ffprobe'], 'Twilio webhook', () => {
    const PLAY =
      /^<\?xml version="1.0" encoding="UTF-8"\?>\s*<Response>\s*<Play>(?<url>https:\/\/speech\.example\.com\/[^<>&]+\.mp3)<\/Play>\s*<\/Response>\s*$/;

    it('replies with TwiML that plays an MP3 with a length and a cache time', () => {
      process.env['BASE_URL'] = 'https://speech.example.com';
      return withExample('telephony/twilio-webhook', (flow) =>
        serving(flow.RED.httpNode, async (url) => {
          const address = PLAY.exec(await callWebhook(`${url}/twilio/voice`))?.groups?.['url'] ?? '';
          const audio = await fetchPlay(url + new URL(address).pathname);
          const { codec, channels, duration } = ffprobe('a.mp3', audio);
          assert.deepEqual([codec, channels], ['mp3', 1]);
          assert.ok(duration > 2 && Math.abs(duration - secondsOf(audio)) < 0.1);
          const { call } = z
            .object({ call: z.object({ From: z.string() }) })
            .parse(await flow.first('twilio-play'));
          assert.equal(call.From, '+15550100');
        }),
      );
    });

    it('replies with a sentence that Twilio speaks if the speech fails', () =>
      withExample(
        'telephony/twilio-webhook',
        (flow) =>
          serving(flow.RED.httpNode, async (url) => {
            assert.match(
              await callWebhook(`${url}/twilio/voice`),
              /<Response>\s*<Say>Sorry, [^<]+<\/Say>\s*<\/Response>/,
            );
            assert.match(errorOf(await flow.first('twilio-error')).message, /voice_id/);
          }),
        { other: { 'twilio-speak': { voice_id: 'nobody', voice_idType: 'str' } } },
      ));

    it('shows the reply when the button is pressed', () => {
      let app: RequestListener = () => undefined;
      return serving(
        (request, response) => app(request, response),
        (url) =>
          withExample(
            'telephony/twilio-webhook',
            async (flow) => {
              app = flow.RED.httpNode;
              flow.press('twilio-press');
              assert.match(textOf(await flow.first('twilio-shown')), /<Play>http[^<]+\.mp3<\/Play>/);
            },
            { other: { 'twilio-request': { url: `${url}/twilio/voice` } } },
          ),
      );
    });
  });
});

describeWith(['ffprobe', 'sox'], 'example of a Twilio media stream in Node-RED', () => {
  const flows = [...(examples.get('telephony/twilio-media-stream') ?? [])];
  const nodeRed = useNodeRed(flows);

  it('connects the call with the address of the stream', async () => {
    assert.match(
      await callWebhook(`${nodeRed().url}twilio/stream`),
      /^<\?xml [^>]+\?>\s*<Response>\s*<Connect>\s*<Stream url="wss:\/\/speech\.example\.com\/twilio\/media" \/>\s*<\/Connect>\s*<\/Response>\s*$/,
    );
  });

  it('sends each of two callers mu-law in frames of 20 milliseconds, and then a mark', async () => {
    const stream = `${nodeRed().url.replace('http', 'ws')}twilio/media`;
    const heard = await Promise.all([openStream(stream, 1), openStream(stream, 2)]);
    for (const { frames, mark } of heard) {
      assert.equal(mark, 'spoken');
      assert.deepEqual(new Set(frames.map(({ length }) => length)), new Set([160]));
      const audio = Buffer.concat(frames);
      const { duration, ...format } = ffprobe('a.ulaw', audio, RAW_FFPROBE);
      assert.deepEqual(format, { codec: 'pcm_mulaw', sampleRate: 8000, channels: 1 });
      assert.ok(Math.abs(duration - frames.length * 0.02) < 0.001);
      assert.ok(levelOf(soxSamples('a.ul', audio, RAW_SOX)) > 0.02);
      assert.ok(duration > 3, `${duration} s`);
    }
  });
});

const RAW_FFPROBE = ['-f', 'mulaw', '-ar', '8000'];
const RAW_SOX = ['-t', 'ul', '-r', '8000', '-c', '1'];
