import assert from 'node:assert/strict';
import { models } from '@herald-speech/client';
import { shippedCatalogue } from '../../../../../service/voices/natural/catalogue/catalogue.js';

describe('the shipped catalogue of natural voices', () => {
  const voices = shippedCatalogue();
  const files = voices.flatMap(({ files }) => files);

  it('has voices for 26 of the languages of the interface, and for 11 others', () => {
    const named = models['compact_api_3']?.languages ?? [];
    const languages = [...new Set(voices.map(({ language }) => language))];
    assert.equal(languages.filter((code) => named.includes(code)).length, 26);
    const others = languages.filter((code) => !named.includes(code));
    assert.deepEqual(others, ['ca', 'cy', 'fa', 'is', 'ka', 'kk', 'lb', 'ne', 'no', 'sw', 'zh']);
    assert.ok(voices.length > 130);
  });

  it('lists model, configuration and model card of each voice below the folder of the voice', () => {
    const thorsten = voices.find(({ name }) => name === 'de_DE-thorsten-medium');
    assert.deepEqual(
      thorsten?.files.map(({ path }) => path),
      [
        'de/de_DE/thorsten/medium/de_DE-thorsten-medium.onnx',
        'de/de_DE/thorsten/medium/de_DE-thorsten-medium.onnx.json',
        'de/de_DE/thorsten/medium/MODEL_CARD',
      ],
    );
    assert.equal(thorsten.sample, 'de/de_DE/thorsten/medium/samples/speaker_0.mp3');
    for (const { name, files } of voices) assert.equal(files.length, 3, name);
  });

  it('has another digest for each file, because equal digests would be a mistake of the list', () => {
    const digests = new Set(files.map(({ md5 }) => md5));
    assert.equal(digests.size, files.length);
    for (const { md5 } of files) assert.match(md5, /^[0-9a-f]{32}$/);
  });

  it('has sizes that fit the quality', () => {
    const ranges = { x_low: [20, 29], low: [28, 70], medium: [62, 79], high: [113, 137] } as const;
    for (const { name, quality, files } of voices) {
      const [model, config, card] = files.map(({ bytes }) => bytes);
      const [least, most] = ranges[quality];
      assert.ok(model !== undefined && model >= least * 1e6 && model <= most * 1e6, `${name}: ${model}`);
      assert.ok(config !== undefined && config >= 2000 && config <= 21_000, `${name}: ${config}`);
      assert.ok(card !== undefined && card >= 190 && card <= 4000, `${name}: ${card}`);
    }
  });

  it('marks voices whose licence forbids commercial use', () => {
    const isNonCommercial = (name: string) => voices.find((voice) => voice.name === name)?.isNonCommercial;
    assert.equal(isNonCommercial('en_US-ryan-high'), true);
    assert.equal(isNonCommercial('en_US-lessac-medium'), true);
    assert.equal(isNonCommercial('de_DE-thorsten-medium'), false);
    assert.equal(isNonCommercial('cs_CZ-jirka-medium'), null);
  });

  it('has titles for users', () => {
    const titles = new Map(voices.map(({ name, title }) => [name, title]));
    assert.equal(titles.get('de_DE-thorsten_emotional-medium'), 'Thorsten emotional');
    assert.equal(titles.get('en_GB-vctk-medium'), 'VCTK');
    assert.equal(titles.get('pt_PT-tugão-medium'), 'Tugão');
  });
});
