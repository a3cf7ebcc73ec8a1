import assert from 'node:assert/strict';
import { parseWav } from '../../../../client/audio/index.js';
import { createSpeech, getVoice, listVoices } from '../../../../client/interface/operations.js';
import { rejection } from '../../../support/rejection.js';
import { withClient } from '../../../support/service/client-for.js';
import { startTestService, type TestService } from '../../../support/service/service.js';

const upstream = { kind: 'wyoming' } as const;
const TEXT = 'The door is open, and the lights are on.';

describe('the local service as a Wyoming server', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService({ wyoming: { host: '127.0.0.1', port: 0, account: 'local' } });
    // The service keeps its speech process.
    await service.send('POST', '/v1/text-to-speech/slt', { text: TEXT, language: 'en' });
  });
  after(() => service.close());

  const url = () => service.wyomingUrl ?? assert.fail('no Wyoming port');

  it('speaks the samples of its own interface', () =>
    withClient({ url: url(), upstream }, async (client) => {
      const { audio } = await client.call(createSpeech, { voice_id: 'slt', text: TEXT, language: 'en' });
      const reply = await service.send('POST', '/v1/text-to-speech/slt', { text: TEXT, language: 'en' });
      const own = parseWav(new Uint8Array(await reply.arrayBuffer()));
      const { data, format } = parseWav(audio);
      assert.deepEqual(format, own.format);
      assert.ok(Buffer.from(data).equals(own.data));
    }));

  it('lists its voices with languages', () =>
    withClient({ url: url(), upstream }, async (client) => {
      const { items } = await client.call(listVoices, { page_size: 100 });
      assert.ok(items.length >= 5);
      const voice = await client.call(getVoice, { voice_id: 'awb' });
      assert.deepEqual([voice.language, voice.locale], [['en'], 'en-GB']);
    }));

  it('chooses a voice for a language', () =>
    withClient({ url: url(), upstream }, async (client) => {
      const { voice_id, language } = await client.complete({ language: 'en' });
      assert.equal(language, 'en');
      await client.call(createSpeech, { voice_id, text: TEXT, language });
    }));

  it('speaks a long text piece by piece', () =>
    withClient({ url: url(), upstream }, async (client) => {
      const request = { voice_id: 'slt', language: 'en', text: `${TEXT} `.repeat(20) };
      let pieces = 0;
      let seconds = 0;
      for await (const { duration } of client.stream(request)) {
        pieces += 1;
        seconds += duration;
      }
      assert.ok(pieces >= 3 && seconds > 20, `${pieces} pieces, ${seconds} s`);
    }));

  it('names an unknown voice', () =>
    withClient({ url: url(), upstream }, async (client) => {
      const call = client.call(createSpeech, { voice_id: 'nobody', text: TEXT, language: 'en' });
      const { code, message } = await rejection(call);
      assert.equal(code, 'not-found');
      assert.match(message, /nobody/);
    }));
});
