import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from '@herald-speech/client';
import { listedVoices, localVoice } from '../../../service/openai/voices.js';
import { loadEngines } from '../../../service/voices/engines/engines.js';
import { Catalogue } from '../../../service/voices/catalogue/catalogue.js';
import { cellOf, tableOf } from '../../docs/markdown.js';

const entry = z.object({ id: z.string(), name: z.string(), gender: z.string(), voice_id: z.string() });

describe('the voices of the OpenAI API', () => {
  const custom = { voice_id: 'c0ffee', name: 'Me', description: '', sample: '', created: 0 };
  let dependencies: Parameters<typeof localVoice>[0];
  before(async () => {
    const ledger = { customVoices: { list: (account: string) => (account === 'mine' ? [custom] : []) } };
    const catalogue = new Catalogue(await loadEngines([]));
    dependencies = { catalogue, ledger: Object.assign(ledger), defaultVoices: [] };
  });

  const voiceOf = (voice: string, language?: string) => localVoice(dependencies, { voice, language }, 'mine');
  const names = () => listedVoices(dependencies, 'mine').slice(0, 13);

  for (const language of ['en', 'de', 'ja', 'pt']) {
    it(`are 13 different voices in ${language}, with the gender of the name`, () => {
      const voices = names().map(({ id }) => voiceOf(id, language));
      const distinct = new Set(voices.map(({ voice_id, pitchShift }) => `${voice_id} ${pitchShift}`));
      assert.equal(distinct.size, 13);
      for (const [place, { voice_id }] of voices.entries()) {
        const voice = dependencies.catalogue.get(voice_id);
        assert.ok(voice?.languages.includes(language), voice_id);
        assert.equal(voice?.gender, entry.parse(names()[place]).gender);
      }
    });
  }

  it('include the ids and names of local voices in their language, and languages', () => {
    assert.deepEqual(voiceOf('de-anna'), { voice_id: 'de-anna', language: 'de', pitchShift: 0 });
    assert.equal(voiceOf('Russell').voice_id, 'rms');
    assert.equal(voiceOf('NOVA').voice_id, 'slt');
    for (const tag of ['de', 'de-DE', 'de_AT']) assert.equal(voiceOf(tag).language, 'de');
  });

  for (const voice of ['de-bob', 'en-bob', 'fr_nobody', 'de-john', 'de_DE-x', 'zz-top', 'zz']) {
    it(`do not include ${voice}, which only starts like a language`, () => {
      const error = { status: 400, param: 'voice', message: /unknown voice\. Use alloy/ };
      assert.throws(() => voiceOf(voice), error);
    });
  }

  it('do not include a natural voice that is not installed, and the error names the command', () => {
    const message = /^voice "de_DE-thorsten-medium": .*"herald-service voices install de_DE-thorsten-medium"/;
    assert.throws(() => voiceOf('de_DE-thorsten-medium'), { status: 400, param: 'voice', message });
  });

  it('refuse a language that the voice does not speak', () => {
    const message = /^language "de": the voice "slt" speaks only en\. /;
    assert.throws(() => voiceOf('slt', 'de'), { status: 400, param: 'language', message });
    assert.equal(voiceOf('de-anna', 'de-AT').language, 'de');
    assert.equal(voiceOf('c0ffee', 'fr').language, 'fr');
  });

  it('are voices of the language of the default voice, or those of the setting', () => {
    const setting = { ...dependencies, defaultVoices: ['de-lukas', 'alloy=ja-yuki', 'Nova = Russell'] };
    const find = (voice: string, language?: string, text?: string) =>
      localVoice(setting, { voice, language, text }, 'mine');
    assert.equal(find('alloy').voice_id, 'ja-yuki');
    assert.equal(find('NOVA').voice_id, 'rms');
    assert.equal(find('ash').language, 'de');
    assert.equal(find('alloy', 'fr').language, 'fr');
    const [alloy] = listedVoices(setting, 'mine');
    assert.deepEqual([alloy?.id, alloy?.voice_id], ['alloy', 'ja-yuki']);
  });

  it('speak the language of another script, with the gender of the name', () => {
    const find = (voice: string, text: string) => localVoice(dependencies, { voice, text }, 'mine');
    for (const [text, language] of [
      ['洗濯が終わりました。', 'ja'],
      ['Привет', 'ru'],
    ] as const) {
      const { voice_id, ...local } = find('alloy', text);
      assert.equal(local.language, language);
      assert.equal(dependencies.catalogue.get(voice_id)?.gender, 'female');
    }
    assert.equal(find('slt', 'Привет').voice_id, 'slt');
  });

  it('are the default voice for a request without a voice', () => {
    const setting = { ...dependencies, defaultVoices: ['de-lukas'] };
    const wish = { voice: '', language: undefined };
    assert.equal(localVoice(setting, { ...wish, text: 'Hallo' }, 'mine').voice_id, 'de-lukas');
    assert.equal(localVoice(setting, { ...wish, text: 'こんにちは' }, 'mine').language, 'ja');
  });

  it('accept regional codes as the language and as the voice, and list those of voices with an accent', () => {
    for (const tag of ['pt-BR', 'pt_BR']) {
      assert.equal(voiceOf(tag).voice_id, 'pt-juliana');
      assert.equal(voiceOf('alloy', tag).language, 'pt');
      assert.equal(voiceOf('', tag).voice_id, 'pt-juliana');
    }
    const listed = listedVoices(dependencies, 'mine').find(({ id }) => id === 'pt-juliana');
    assert.deepEqual(Object.assign({ languages: [] }, listed).languages, ['pt', 'pt-BR']);
  });

  it('include the custom voices of the account, and no others', () => {
    assert.equal(voiceOf('c0ffee').voice_id, 'c0ffee');
    const ofOther = () => localVoice(dependencies, { voice: 'c0ffee' }, 'other');
    assert.throws(ofOther, { status: 400, param: 'voice', code: 'invalid_value' });
  });

  it('are listed in docs/openai.md', () => {
    const text = readFileSync(path.join(__dirname, '../../../docs/openai.md'), 'utf8');
    const listed = tableOf(text, 'name').map((row) => cellOf(row, 'name'));
    assert.deepEqual(
      listed.toSorted(),
      names()
        .map(({ id }) => id)
        .toSorted(),
    );
  });
});
