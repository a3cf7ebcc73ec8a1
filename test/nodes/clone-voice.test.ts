import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { inspectAudio, z } from '@herald-speech/client';
import { wavOf } from '../support/audio-files.js';
import { type Flow, localAccount, speechNode, withFlow, withHostedFlow } from '../support/node-red/flow.js';
import { keepLocalService, useDataFolder } from '../support/service/local-service.js';
import { audioOf, errorOf, speechOf } from '../support/node-red/messages.js';
import { refused, type Scripted } from '../support/net/scripted-server.js';

const cloned = z.object({
  payload: z.looseObject({ voice_id: z.string() }),
  voice_id: z.string(),
  speech: z.strictObject({
    sample: z.strictObject({
      format: z.enum(['wav', 'mp3']),
      seconds: z.number(),
      channels: z.number(),
      sampleRate: z.number(),
      bytes: z.number(),
    }),
    warnings: z.array(z.string()),
  }),
});

const sampleText =
  'I am a voice that is about to be cloned, so I speak for more than five seconds, as a sample should.';
const clone = speechNode('clone-voice', { wires: [['cloned', 'say'], ['failed'], ['failed'], []] });
const say = speechNode('text-to-speech', { id: 'say', text: 'I am a clone.', textType: 'str' });
const speak = speechNode('text-to-speech', { id: 'speak', wires: [['spoken'], ['failed'], ['failed'], []] });

const APPROXIMATION =
  'the new voice is an approximation: the local service copies the pitch and the rate of the sample, not its timbre or accent';

describe('clone voice with the local service', () => {
  keepLocalService();

  const cloning = (work: (flow: Flow, sample: Buffer) => Promise<void>) =>
    withFlow([localAccount(), speak, clone, say], async (flow) => {
      flow.send('speak', { payload: sampleText });
      await work(flow, audioOf(await flow.out('spoken')));
    });

  it('clones a voice from a Buffer and sets msg.voice_id for the next node', () =>
    cloning(async (flow, sample) => {
      flow.send('node', { payload: sample, name: 'Me', description: 'in the kitchen' });
      const { payload, voice_id, speech } = cloned.parse(await flow.out('cloned'));
      assert.equal(voice_id, payload.voice_id);
      const { duration: seconds } = inspectAudio(sample);
      assert.deepEqual(speech, {
        sample: { format: 'wav', seconds, channels: 1, sampleRate: 16_000, bytes: sample.length },
        warnings: [APPROXIMATION],
      });
      const message = await flow.out('done');
      assert.equal(speechOf(message).voice_id, voice_id);
      assert.ok(inspectAudio(audioOf(message)).duration > 0.5);
      assert.match(speechOf(message).warnings.join(), /^voice_id: the custom voice is an approximation/);
    }));

  it('clones a voice from a file', () =>
    cloning(async (flow, sample) => {
      const file = path.join(process.env['HERALD_DATA'] ?? '', 'sample.wav');
      await writeFile(file, sample);
      flow.send('node', { payload: file, name: 'Me, from a file' });
      assert.equal(cloned.parse(await flow.out('cloned')).speech.sample.bytes, sample.length);
    }));
});

describe('clone voice', () => {
  useDataFolder();
  const cloning = (properties: object, reply: Scripted, work: Parameters<typeof withHostedFlow<void>>[2]) =>
    withHostedFlow(() => reply, [speechNode('clone-voice', properties)], work);
  const created = { body: { voice_id: 'new' } };

  it('warns of a short sample and of several channels', () =>
    cloning({}, created, async (flow) => {
      flow.send('node', { payload: wavOf({ seconds: 2, channels: 2 }), name: 'Me' });
      const { speech } = cloned.parse(await flow.out('done'));
      assert.deepEqual(speech.warnings, [
        'sample: 2.0 s long; 5 to 30 s give the best results',
        'sample: several channels; mono gives better results',
      ]);
    }));

  it('reads the name of the voice from the message, not from the label of the node', () =>
    cloning({ name: 'clone it', voice_name: '' }, created, async (flow, { requests }) => {
      flow.send('node', { payload: wavOf({ seconds: 6 }), name: 'Of the message' });
      await flow.out('done');
      assert.match(requests[0]?.body.toString('latin1') ?? '', /name="name"\r\n\r\nOf the message\r\n/);
    }));

  it('does not retry a 500, because a retry could create a second voice', () =>
    cloning({}, refused(500), async (flow, { requests }) => {
      flow.send('node', { payload: wavOf({ seconds: 6 }), name: 'Me' });
      assert.equal(errorOf(await flow.out('retryable')).attempts, 1);
      assert.equal(requests.length, 1);
    }));
});
