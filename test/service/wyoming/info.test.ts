import assert from 'node:assert/strict';
import { z } from '@herald-speech/client';
import { infoEvent } from '../../../service/wyoming/info.js';
import { Catalogue } from '../../../service/voices/catalogue/catalogue.js';
import type { EnginePlugin, EngineVoice } from '../../../service/voices/engines/engine.js';
import { loadEngines } from '../../../service/voices/engines/engines.js';

const info = z.object({
  tts: z.tuple([
    z.object({
      voices: z.array(
        z.object({
          name: z.string(),
          description: z.string(),
          title: z.string().optional(),
          gender: z.string().optional(),
          attribution: z.object({ name: z.string(), url: z.string() }),
          installed: z.literal(true),
          version: z.string(),
          languages: z.array(z.string()),
        }),
      ),
    }),
  ]),
});

const NATURAL = {
  description: '',
  age: 'young-adult',
  useCases: [],
  languages: ['en'],
  pitch: 120,
  isNatural: true,
  attribution: { author: 'OWNER/VOICES', url: 'https://voices.invalid/', version: '0123456789ab' },
};
const natural = (id: string, quality: string, rest: Partial<EngineVoice> = {}): EngineVoice => ({
  ...NATURAL,
  id,
  name: id,
  gender: 'male',
  quality,
  ...rest,
});

const engine: EnginePlugin = {
  id: 'neural',
  voices: [
    natural('zoe', 'medium', { gender: 'female', locale: 'en-GB', licence: 'CC0' }),
    natural('adam', 'low', { licence: null }),
    natural('mia', 'high'),
    natural('ben', 'x_low'),
    natural('abe', 'high', { isLive: false }),
  ],
  prepare: () => Promise.resolve(),
  start: () => Promise.reject(new Error('not used')),
};

describe('the voices in the description for Wyoming', () => {
  let voices: z.output<typeof info>['tts'][0]['voices'];
  before(async () => {
    const ledger = { customVoices: { list: () => [] } };
    const catalogue = new Catalogue([...(await loadEngines([])), engine]);
    const { data } = infoEvent({ catalogue, ledger, defaultVoices: [] }, 'mine');
    [{ voices }] = info.parse(data).tts;
  });
  const find = (id: string) => voices.find(({ name }) => name === id);

  it('begin with the natural voices, the best quality first, also when Home Assistant sorts their descriptions', () => {
    const ids = voices.map(({ name }) => name);
    assert.deepEqual(ids.slice(0, 8), ['mia', 'zoe', 'adam', 'ben', 'rms', 'slt', 'awb', 'abe']);
    const english = voices.filter(({ languages }) => languages.includes('en'));
    const kindOf = ({ description }: { description: string }) => description.split(':')[0];
    const sorted = english.toSorted((a, b) => (a.description < b.description ? -1 : 1));
    assert.deepEqual(sorted.map(kindOf), english.map(kindOf));
  });

  it('name kind, quality, sex and accent in the description', () => {
    const descriptions = ['zoe', 'mia', 'rms', 'awb', 'abe', 'pt-juliana', 'de-mia'].map(
      (id) => find(id)?.description,
    );
    assert.deepEqual(descriptions, [
      'Natural, medium quality: zoe, female, British English',
      'Natural, high quality: mia, male, English',
      'Simple: Russell, male, American English',
      'Simple: Angus, male, Scottish English',
      'Slow natural, high quality: abe, male, English',
      'Synthetic: Juliana, female, Brazilian Portuguese',
      'Synthetic: Mia, child, German',
    ]);
  });

  it('have name and sex in two further fields, which only Herald reads', () => {
    const factsOf = (id: string) => [find(id)?.title, find(id)?.gender];
    assert.deepEqual(factsOf('awb'), ['Angus', 'male']);
    assert.deepEqual(factsOf('pt-juliana'), ['Juliana', 'female']);
    assert.deepEqual(factsOf('de-mia'), ['Mia', 'female']);
  });

  it('have an attribution with author, licence and address, and a version of their own', () => {
    assert.deepEqual(find('zoe')?.attribution, {
      name: 'OWNER/VOICES, licence CC0',
      url: 'https://voices.invalid/',
    });
    assert.equal(find('adam')?.attribution.name, 'OWNER/VOICES, unknown licence');
    for (const { name, attribution, version } of voices) {
      assert.match(attribution.name, /licence/, name);
      assert.match(attribution.url, /^https:/, name);
      assert.match(version, /^[\da-f.]+$/, name);
    }
    assert.equal(find('zoe')?.version, '0123456789ab');
    assert.notEqual(find('rms')?.version, find('de-anna')?.version);
  });

  it('list the language, and the region of an accent in both spellings', () => {
    assert.deepEqual(find('zoe')?.languages, ['en', 'en-GB', 'en_GB']);
    assert.deepEqual(find('pt-juliana')?.languages, ['pt', 'pt-BR', 'pt_BR']);
    assert.deepEqual(find('de-anna')?.languages, ['de']);
  });
});
