import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { inspectAudio, models, operations, z } from '@herald-speech/client';
import { cellOf, sectionsOf, tableOf } from '../../docs/markdown.js';
import { samplesOf, startTestService, type TestService } from '../../support/service/service.js';

/** Returns a section of a page in docs/. `from` is a text at which the result begins. */
function sectionOf(file: string, heading: string, from = ''): string {
  const page = readFileSync(path.join(__dirname, '../../../docs', file), 'utf8');
  const section = sectionsOf(page).get(heading) ?? assert.fail(heading);
  return section.slice(section.indexOf(from));
}

/** docs/interface.md#voices */
describe('the preset voices of the service', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService();
  });
  after(async () => service.close());

  const bytesOf = async (reply: Response) => {
    assert.equal(reply.status, 200, await (reply.status === 200 ? '' : reply.text()));
    return new Uint8Array(await reply.arrayBuffer());
  };
  const page = async (path: string) => {
    const reply = await service.send('GET', path);
    assert.equal(reply.status, 200);
    return operations.listVoices.response.parse(await reply.json());
  };
  const idsOf = async (path: string) => (await page(path)).items.map((voice) => voice.voice_id);

  const everyVoice = async () => {
    const items = [];
    for (let token: string | null | undefined = ''; token !== undefined && token !== null;) {
      const next = token === '' ? '' : `&next_page_token=${token}`;
      const got = await page(`/v1/voices?page_size=50${next}`);
      items.push(...got.items);
      token = got.next_page_token;
    }
    return items;
  };

  it('speak a language with a region as the language, and have the locale of their accent', async () => {
    const text = 'The coffee is ready.';
    const spoken = async (language: string) =>
      bytesOf(await service.send('POST', '/v1/text-to-speech/slt', { text, language }));
    for (const language of ['en-GB', 'en_US']) assert.deepEqual(await spoken(language), await spoken('en'));
    const { items } = await page('/v1/voices/search?language=pt-BR');
    assert.deepEqual(new Set(items.map(({ locale }) => locale)), new Set(['pt-BR']));
    assert.ok(!items.some(({ voice_id }) => voice_id === 'pt-ines'));
  });

  it('lack exactly the ages and use cases that docs/service.md lists', async () => {
    const known = tableOf(sectionOf('interface.md', 'voice', 'Known words'), 'Field');
    const voices = await everyVoice();
    const natural = voices.slice(0, 5);
    for (const row of tableOf(sectionOf('service.md', 'voices'), 'property')) {
      const property = z.enum(['age', 'use_case', 'use_cases']).parse(cellOf(row, 'property'));
      const words = known.find((line) => cellOf(line, 'Field').split(', ').includes(property));
      const missing = (among: typeof voices) =>
        cellOf(words ?? assert.fail(property), 'Known words')
          .split(', ')
          .filter((word) => !among.some((voice) => [voice[property]].flat().includes(word)))
          .join(', ');
      assert.equal(cellOf(row, 'no preset voice'), missing(voices));
      assert.equal(cellOf(row, 'no preset voice without eSpeak NG'), missing(natural));
    }
  });

  it('begin with the English voices of Flite, which name their engine in the description', async () => {
    const { items } = await page('/v1/voices');
    const flite = items.slice(0, 5);
    assert.deepEqual(
      flite.map((voice) => voice.voice_id),
      ['rms', 'slt', 'awb', 'kal16', 'kal'],
    );
    for (const { voice_id, description, styles, language } of flite) {
      assert.match(description ?? '', new RegExp(`Flite voice "${voice_id}"`));
      assert.equal(styles[0], 'neutral');
      assert.deepEqual(language, ['en']);
    }
  });

  it('include several voices for each of the 31 languages, with unique identifiers', async () => {
    const voices = await everyVoice();
    assert.equal(new Set(voices.map(({ voice_id }) => voice_id)).size, voices.length);
    for (const language of models['compact_api_3']?.languages ?? []) {
      const speaking = voices.filter((voice) => voice.language.includes(language));
      assert.ok(new Set(speaking.map(({ gender }) => gender)).size > 1, language);
    }
  });

  it('list the models that have their language, and samples for these models only', async () => {
    for (const { voice_id, language, samples, models: listed, styles } of await everyVoice()) {
      const expected = Object.entries(models).filter(([, model]) =>
        language.some((code) => model.languages.includes(code)),
      );
      assert.deepEqual(
        listed,
        expected.map(([name]) => name),
        voice_id,
      );
      assert.deepEqual(new Set((samples ?? []).map(({ model }) => model)), new Set(listed));
      assert.equal(samples?.length, styles.length * listed.length);
    }
  });

  it('work with the listed models, and with the first of them by default', async () => {
    const croatian = { text: 'Dobar dan.', language: 'hr' };
    const said = async (body: object) =>
      service.send('POST', '/v1/text-to-speech/hr-ivana', { ...croatian, ...body });
    assert.equal((await said({ model: 'compact_api_3' })).status, 200);
    assert.equal((await said({})).status, 200);
    const refused = await said({ model: 'main_speech_1' });
    assert.equal(refused.status, 400);
    assert.match(await refused.text(), /model is \\"main_speech_1\\": expected one of compact_api_3 for/);
  });

  it('match the filters in the query', async () => {
    assert.deepEqual(await idsOf('/v1/voices/search?gender=female&description=flite'), ['slt']);
    assert.deepEqual(await idsOf('/v1/voices/search?description=scottish'), ['awb']);
    const query = 'style=happy;sad&gender=female&language=hr,sl&page_size=10&age=young-adult';
    assert.deepEqual(await idsOf(`/v1/voices/search?${query}`), ['hr-ivana', 'sl-maja']);
  });

  it('form an empty page if none matches', async () => {
    assert.deepEqual(await page('/v1/voices/search?language=zu'), { items: [], total: 0 });
  });

  it('are available by identifier', async () => {
    const reply = await service.send('GET', '/v1/voices/rms');
    assert.equal(operations.getVoice.response.parse(await reply.json()).voice_id, 'rms');
  });

  it('have a sample for every combination, which needs no key', async () => {
    const { items } = await page('/v1/voices/search?name=selma');
    const [voice] = items;
    const samples = voice?.samples ?? [];
    assert.equal(samples.length, (voice?.styles.length ?? 0) * (voice?.models.length ?? 0));
    const first = await fetch(samples[0]?.url ?? '');
    assert.equal(first.headers.get('content-type'), 'audio/wav');
    const sound = new Uint8Array(await first.arrayBuffer());
    assert.ok(inspectAudio(sound).duration > 1);
    assert.deepEqual(new Uint8Array(await (await fetch(samples[0]?.url ?? '')).arrayBuffer()), sound);
  });

  it('have samples in other languages than English', async () => {
    for (const sample of ['ko-minji/ko/neutral/main_speech_1', 'hr-ivana/hr/sad/compact_api_3']) {
      const reply = await fetch(`${service.url}/samples/${sample}.wav`);
      const { samples } = samplesOf(await bytesOf(reply));
      assert.ok(
        samples.some((value) => Math.abs(value) > 0.05),
        sample,
      );
    }
  });

  it('have no sample for an unsupported combination', async () => {
    assert.equal((await fetch(`${service.url}/samples/nobody/en/neutral/main_speech_1.wav`)).status, 404);
    assert.equal((await fetch(`${service.url}/samples/slt/ko/neutral/main_speech_1.wav`)).status, 404);
    assert.equal((await fetch(`${service.url}/samples/slt/en/shouting/main_speech_1.wav`)).status, 404);
  });
});
