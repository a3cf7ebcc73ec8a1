import assert from 'node:assert/strict';
import { z } from '@herald-speech/client';
import { parseAudio, readMark } from '@herald-speech/client/audio';
import { describeWith } from '../../support/programs/describe-with.js';
import { type FlowNode, type Message } from '../../support/node-red/flow.js';
import { shareLocalService } from '../../support/service/local-service.js';
import { withMqttBroker } from '../../support/programs/mqtt-broker.js';
import { type Running, secondsOf, withExample } from '../example.js';
import { until } from '../../support/waiting.js';

const broker = 'hermes-broker';

/** The audio server of a site and the dialogue of an assistant. */
const satellite: FlowNode[] = [
  {
    id: 'site',
    type: 'mqtt in',
    topic: 'hermes/audioServer/#',
    datatype: 'buffer',
    broker,
    wires: [['site-got']],
  },
  {
    id: 'dialogue',
    type: 'mqtt in',
    topic: 'hermes/tts/sayFinished',
    datatype: 'json',
    broker,
    wires: [['ended']],
  },
  { id: 'publish', type: 'mqtt out', topic: '', broker, wires: [] },
];

const played = z.object({ topic: z.string(), payload: z.instanceof(Buffer) });

/** The WAV of a message on `playBytes`, as an audio server checks it: 16 kHz, 16 bits, mono. */
function wavOf(message: Message) {
  const { topic, payload } = played.parse(message);
  const audio = parseAudio(payload);
  assert.ok(audio.format === 'wav');
  const { encoding, channels, sampleRate, bitsPerSample } = audio.wav.format;
  assert.deepEqual([encoding, channels, sampleRate, bitsPerSample], ['pcm', 1, 16_000, 16]);
  return { topic, seconds: secondsOf(payload), payload };
}

/** Rhasspy reads the volume from a chunk `INFO`, and skips others without their pad bytes. */
function rhasspyVolume(wav: Buffer): Buffer | undefined {
  for (let at = 12; at < wav.length; at += 8 + wav.readUInt32LE(at + 4)) {
    if (wav.toString('latin1', at, at + 4) === 'INFO') return wav.subarray(at + 8);
  }
  return undefined;
}

describeWith(['mosquitto'], 'example home/hermes with mosquitto', () => {
  shareLocalService();

  const run = (work: (flow: Running) => Promise<void>) =>
    withMqttBroker((port) =>
      withExample(
        'home/hermes',
        async (flow) => {
          const connected = () => ['hermes-say', 'site', 'dialogue'].every((id) => isConnected(flow, id));
          await until(connected);
          await work(flow);
        },
        { other: { [broker]: { broker: '127.0.0.1', port: String(port) } }, more: satellite },
      ),
    );

  it('sends a WAV for the site to the broker when the button is pressed', () =>
    run(async (flow) => {
      flow.press('hermes-press');
      const { topic, seconds, payload } = wavOf(await flow.out('site-got'));
      assert.match(topic, /^hermes\/audioServer\/default\/playBytes\/[^/]+$/);
      assert.ok(seconds > 1);
      assert.equal(readMark(payload)?.product, 'Herald');
      assert.equal(rhasspyVolume(payload), undefined);
    }));

  it('answers a request of the assistant at its site, and reports the end when the site has played', () =>
    run(async (flow) => {
      const request = {
        text: 'Good morning.',
        siteId: 'kitchen',
        id: 'request-7',
        lang: 'en_US',
        sessionId: 's1',
      };
      flow.send('publish', { topic: 'hermes/tts/say', payload: request });
      const { topic } = wavOf(await flow.out('site-got'));
      assert.equal(topic, 'hermes/audioServer/kitchen/playBytes/request-7');
      flow.send('publish', {
        topic: 'hermes/audioServer/kitchen/playFinished',
        payload: { id: 'request-7', sessionId: '' },
      });
      assert.deepEqual((await flow.out('ended')).payload, { id: 'request-7', siteId: 'kitchen' });
    }));

  it('keeps hostile names of sites inside one level of the topic', () =>
    run(async (flow) => {
      const request = { text: 'Hi.', siteId: '../#/+', id: 'a/b+c#' };
      flow.send('publish', { topic: 'hermes/tts/say', payload: request });
      const { topic } = wavOf(await flow.out('site-got'));
      assert.equal(topic, 'hermes/audioServer/..____/playBytes/a_b_c_');
    }));

  it('shows the error of a text that cannot be spoken', () =>
    run(async (flow) => {
      flow.send('publish', { topic: 'hermes/tts/say', payload: { text: '…', siteId: 'default', id: '1' } });
      const { error } = await flow.first('hermes-error');
      assert.match(JSON.stringify(error), /bad-request/);
    }));
});

/** Whether a node of a broker has a connection and its subscription. */
function isConnected(flow: Running, id: string): boolean {
  const connection: unknown = Reflect.get(flow.node(id), 'brokerConn');
  return (
    typeof connection === 'object' && connection !== null && Reflect.get(connection, 'connected') === true
  );
}
