import assert from 'node:assert/strict';
import { startWyomingServer, type WyomingTestServer } from './support.js';

describe('a text over Wyoming', () => {
  let server: WyomingTestServer;
  afterEach(() => server.close());

  it('logs the voice, the language and the reason of a failure, and no text', async () => {
    server = await startWyomingServer();
    const voice = { name: 'nobody', language: 'de-AT' };
    await server.speak('A secret text.', voice);
    await server.speak(`Another secret text. ${'x'.repeat(20_000)}`, { name: 'slt' });
    const failures = server.log.filter(({ level }) => level === 'error');
    assert.deepEqual(
      failures.map(({ ms, ...entry }) => (assert.equal(typeof ms, 'number'), entry)),
      [
        {
          level: 'error',
          protocol: 'wyoming',
          status: 'not-found',
          event: 'synthesize',
          voice: 'nobody',
          language: 'de-AT',
          reason: 'voice "nobody": unknown voice. List the voices and use one of their identifiers',
        },
        {
          level: 'error',
          protocol: 'wyoming',
          status: 'bad-request',
          event: 'synthesize',
          voice: 'slt',
          language: 'en',
          reason: 'text has 20021 characters: expected at most 20000. Send it in several requests',
        },
      ],
    );
    assert.ok(!JSON.stringify(server.log).includes('secret'));
  });

  it('logs the voice and the language that it chose for a text without both', async () => {
    server = await startWyomingServer({ dependencies: { defaultVoices: ['rms'] } });
    const texts = ['The door is open.', 'Дверь открыта.', 'ประตูเปิดอยู่'];
    for (const text of texts) await server.speak(text, {});
    const speakers = server.log.map(({ status, voice, language }) => [status, voice, language]);
    const { catalogue } = server.path.dependencies;
    assert.deepEqual(speakers, [
      ['ok', 'rms', 'en'],
      ['ok', catalogue.defaultVoice('ru')?.id, 'ru'],
      ['bad-request', 'rms', 'en'],
    ]);
  });

  it('sends the first of 24 sentences before it speaks the later ones', async () => {
    let pieces = 0;
    const observer = { piece: () => void (pieces += 1), end: () => undefined };
    const metrics = { request: () => undefined, speech: () => observer, sampleCache: () => undefined };
    server = await startWyomingServer({ dependencies: { metrics } });
    const sentences = Array.from(
      { length: 24 },
      (_, index) => `Sentence ${index} says that the door is open.`,
    );
    const client = server.connect();
    client.send({ type: 'synthesize', data: { text: sentences.join(' '), voice: { name: 'slt' } } });
    await client.until('audio-chunk');
    assert.ok(pieces <= 12, `${pieces} sentences were spoken`);
    await client.until('audio-stop');
    assert.ok(pieces >= 24);
  });
});
