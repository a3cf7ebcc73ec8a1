import assert from 'node:assert/strict';
import { chooseVoice } from '../../../service/speech/choose-voice.js';
import { unknownEntries } from '../../../service/speech/default-voice.js';
import type { VoiceQuery } from '../../../service/speech/named-voice.js';
import { CUSTOM } from './custom-voice.js';
import { openSpeechPath, type SpeechPath } from './support.js';

/** A text of each script and of each language that has letters of its own, with the language of its voice. */
const texts: ReadonlyArray<readonly [text: string, language: string]> = [
  ['The washing machine has finished.', 'en'],
  ['洗濯が終わりました。', 'ja'],
  ['Home Assistant は準備完了です。', 'ja'],
  ['警告', 'ja'],
  ['Стиральная машина закончила работу.', 'ru'],
  ['Пральна машина закінчила роботу.', 'uk'],
  ['Пералнята приключи. Внимание, съобщение.', 'bg'],
  ['انتهت الغسالة من العمل.', 'ar'],
  ['वॉशिंग मशीन का काम पूरा हो गया।', 'hi'],
  ['세탁이 끝났습니다.', 'ko'],
  ['Το πλυντήριο τελείωσε.', 'el'],
  ['Play Чайка in the kitchen now.', 'en'],
  ['21.5 °C', 'en'],
];

describe('the default voice', () => {
  let path: SpeechPath;
  let custom: string;
  before(async () => {
    path = await openSpeechPath();
    custom = path.dependencies.ledger.customVoices.add(path.account.id, CUSTOM).voice_id;
  });
  after(() => path.close());

  const choose = (defaultVoices: readonly string[], wish: VoiceQuery = {}) =>
    chooseVoice({ ...path.dependencies, defaultVoices }, wish, path.account.id);
  const idOf = (...parameters: Parameters<typeof choose>) => choose(...parameters).voice_id;

  it('is the first voice of the setting if a request names neither a voice nor a language', () => {
    assert.deepEqual(choose(['de-anna']), { voice_id: 'de-anna', language: 'de' });
    assert.deepEqual(choose(['fr-julien', 'de-anna']), { voice_id: 'fr-julien', language: 'fr' });
    assert.deepEqual(choose(['Russell']), { voice_id: 'rms', language: 'en' });
    assert.deepEqual(choose(['Grandma:de']), { voice_id: custom, language: 'de' });
  });

  it('is the voice of the setting in its language, and the first voice of any other language', () => {
    const setting = ['de-lukas', 'en-emily', 'fr'];
    assert.equal(idOf(setting, { language: 'de-AT' }), 'de-lukas');
    assert.equal(idOf(setting, { language: 'en' }), 'en-emily');
    for (const language of ['fr', 'es']) assert.equal(idOf(setting, { language }), idOf([], { language }));
  });

  it('is the first voice of a language in the setting, if possible of its region', () => {
    assert.equal(choose(['de']).language, 'de');
    assert.equal(idOf(['pt-BR']), 'pt-juliana');
  });

  it('gives way to a voice of the language while a natural voice is not installed', () => {
    assert.deepEqual(choose(['de_DE-thorsten-medium']), choose(['de']));
    assert.deepEqual(choose(['nobody']), choose([]));
  });

  it('does not change a request with a voice', () => {
    assert.equal(idOf(['de-anna'], { voice: 'slt', text: 'Привет' }), 'slt');
  });

  for (const [text, language] of texts) {
    it(`of "${text}" speaks ${language}, because the English voice cannot read another script`, () => {
      assert.equal(choose(['en-emily'], { text }).language, language);
      assert.equal(choose([], { text }).language, language);
    });
  }

  it('of another script is the voice of the setting in a language with this script', () => {
    assert.equal(idOf(['de-anna', 'uk-taras'], { text: 'Привет' }), 'uk-taras');
    assert.equal(idOf(['de-anna', 'ja-haruto'], { text: 'こんにちは' }), 'ja-haruto');
    assert.equal(idOf(['ru-olga', 'fr-julien'], { text: 'Bonjour' }), 'fr-julien');
  });

  it('with another script than Latin also reads Latin names in its texts', () => {
    assert.equal(idOf(['ja-yuki'], { text: 'Home Assistant Voice OK です' }), 'ja-yuki');
    assert.equal(choose(['ja-yuki'], { text: 'The kitchen is warm.' }).language, 'en');
  });

  it('of the setting is reported if no voice has its name', () => {
    const defaultVoices = ['rms', 'de', 'nobody', 'alloy=de-anna', 'nova=nobody', 'tlh', 'de_DE-x-low'];
    const unknown = unknownEntries({ ...path.dependencies, defaultVoices }, path.account.id);
    assert.deepEqual(unknown, ['nobody', 'nova=nobody', 'tlh', 'de_DE-x-low']);
  });
});

describe('a regional code', () => {
  let path: SpeechPath;
  before(async () => {
    path = await openSpeechPath();
  });
  after(() => path.close());

  const choose = (language: string, defaultVoices: readonly string[] = []) =>
    chooseVoice({ ...path.dependencies, defaultVoices }, { language }, path.account.id);

  it('selects the voice with the accent, in both spellings and any case', () => {
    for (const tag of ['pt-BR', 'pt_BR', 'PT-br']) assert.equal(choose(tag).voice_id, 'pt-juliana', tag);
    assert.equal(choose('pt-PT').voice_id, 'pt-ines');
    assert.equal(choose('es-419').voice_id, 'es-valentina');
  });

  it('falls back to the language without a voice of the region', () => {
    for (const tag of ['de-CH', 'pt-AO']) assert.deepEqual(choose(tag), choose(tag.slice(0, 2)));
  });

  it('selects among the default voices of the setting', () => {
    const setting = ['en-emily', 'en-madison'];
    assert.equal(choose('en-US', setting).voice_id, 'en-madison');
    assert.equal(choose('en-AU', setting).voice_id, 'en-emily');
  });

  it('prefers a natural voice of another accent to a simple voice', () => {
    assert.equal(choose('en-US').voice_id, 'en_GB-unhurried-medium');
  });
});

describe('a name with many languages', () => {
  let path: SpeechPath;
  before(async () => {
    path = await openSpeechPath();
  });
  after(() => path.close());

  it('is unknown after one look at the voices', () => {
    let looks = 0;
    const { catalogue, ...others } = path.dependencies;
    const counted = new Proxy(catalogue, {
      get(target, name) {
        looks += Number(name === 'voices');
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    const named = (voice: string) =>
      chooseVoice({ ...others, catalogue: counted, defaultVoices: [] }, { voice }, path.account.id);
    for (const voice of [`x${':de'.repeat(90)}`, `x${':de'.repeat(20_000)}`])
      assert.throws(() => named(voice));
    assert.ok(looks <= 10, `${looks}`);
  });
});
