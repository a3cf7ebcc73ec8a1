import assert from 'node:assert/strict';
import { createClient, inspectAudio, operations } from '@herald-speech/client';
import { startTestService, type TestService, toneFile } from '../support/service.js';

describe('the client and the local service', () => {
  let service: TestService;
  let client: ReturnType<typeof createClient>;
  before(async () => {
    service = await startTestService();
    client = createClient({ url: service.url, apiKey: service.key });
  });
  after(async () => {
    await client.close();
    await service.close();
  });

  const hello = { voice_id: 'rms', text: 'Good morning. The coffee is ready.', language: 'en' };

  for (const output_format of ['wav', 'mp3'] as const) {
    for (const include_phonemes of [false, true]) {
      for (const operation of [operations.createSpeech, operations.streamSpeech]) {
        it(`${operation.name} as ${output_format}${include_phonemes ? ' with phonemes' : ''}`, async () => {
          const spoken = await client.call(operation, { ...hello, output_format, include_phonemes });
          assert.equal(inspectAudio(spoken.audio).format, output_format);
          assert.equal((spoken.phonemes?.symbols.length ?? 0) > 0, include_phonemes);
          const { duration } = await client.call(operations.predictDuration, hello);
          assert.ok(Math.abs(spoken.duration / duration - 1) < 0.05, `${duration}, not ${spoken.duration}`);
        });
      }
    }
  }

  it('long text is spoken in pieces and joined', async () => {
    const { duration, chunks } = await client.speak({ ...hello, text: `${hello.text} `.repeat(20) });
    assert.ok(chunks.length > 1);
    assert.ok(duration > 30, `${duration} s`);
  });

  it('voices are listed, found and read', async () => {
    assert.equal((await client.call(operations.listVoices, {})).items.length, 20);
    const found = await client.call(operations.searchVoices, { gender: 'male', description: 'flite' });
    assert.equal(found.items.length, 4);
    assert.equal((await client.call(operations.getVoice, { voice_id: 'awb' })).name, 'Angus');
  });

  it('an own voice lives from its sample to its end', async () => {
    const files = toneFile(110, 2);
    const { voice_id } = await client.call(operations.createClonedVoice, { files, name: 'Me' });
    assert.equal((await client.call(operations.listCustomVoices, {})).total, 1);
    await client.call(operations.editCustomVoice, { voice_id, name: 'You' });
    assert.equal((await client.call(operations.searchCustomVoices, { name: 'you' })).total, 1);
    assert.equal((await client.call(operations.getCustomVoice, { voice_id })).name, 'You');
    await client.call(operations.deleteCustomVoice, { voice_id });
    assert.equal((await client.call(operations.listCustomVoices, {})).total, 0);
  });

  it('credits are unlimited', async () => {
    assert.equal((await client.call(operations.getCredits, {})).balance, null);
  });

  it('an error comes with its code and the words of the service', async () => {
    await assert.rejects(client.call(operations.getVoice, { voice_id: 'nobody' }), {
      code: 'not-found',
      service: 'there is no voice "nobody"',
    });
  });
});
