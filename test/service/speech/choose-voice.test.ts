import assert from 'node:assert/strict';
import { chooseVoice } from '../../../service/speech/choose-voice.js';
import type { VoiceQuery } from '../../../service/speech/named-voice.js';
import { CUSTOM } from './custom-voice.js';
import { openSpeechPath, type SpeechPath } from './support.js';

describe('the voice of a front end', () => {
  let path: SpeechPath;
  let custom: string;
  before(async () => {
    path = await openSpeechPath();
    custom = path.dependencies.ledger.customVoices.add(path.account.id, CUSTOM).voice_id;
  });
  after(() => path.close());

  const choose = (wish: VoiceQuery, account = path.account.id) =>
    chooseVoice(path.dependencies, wish, account);

  it('is the voice with the id or the name, in any case', () => {
    assert.deepEqual(choose({ voice: 'rms' }), { voice_id: 'rms', language: 'en' });
    assert.deepEqual(choose({ voice: 'Russell' }), { voice_id: 'rms', language: 'en' });
    assert.deepEqual(choose({ voice: ' RMS ' }), { voice_id: 'rms', language: 'en' });
  });

  it('is a custom voice of the account only', () => {
    assert.equal(choose({ voice: 'grandma', language: 'de' }).voice_id, custom);
    assert.deepEqual(choose({ voice: custom }), { voice_id: custom, language: 'en' });
    assert.throws(() => choose({ voice: custom }, 'another'), { status: 404 });
  });

  it('speaks the wished language if it can, else its first language', () => {
    assert.equal(choose({ voice: 'de-anna', language: 'de-AT' }).language, 'de');
    assert.equal(choose({ voice: 'de-anna', language: 'fr' }).language, 'de');
  });

  it('is the first voice of the language without a voice, and of English without both', () => {
    const { catalogue } = path.dependencies;
    for (const tag of ['de', 'de-DE', 'DE_de']) {
      const expected = { voice_id: catalogue.defaultVoice('de')?.id, language: 'de' };
      assert.deepEqual(choose({ voice: '', language: tag }), expected);
    }
    assert.deepEqual(choose({}), { voice_id: catalogue.defaultVoice('en')?.id, language: 'en' });
    assert.deepEqual(choose({ voice: ' ', language: ' ' }), choose({}));
  });

  it('is unknown for another name, and for a language without a voice', () => {
    assert.throws(() => choose({ voice: 'nobody' }), {
      status: 404,
      message: /^voice "nobody": unknown voice/,
    });
    assert.throws(() => choose({ language: 'tlh' }), {
      status: 404,
      message: /language "tlh": no voice speaks it/,
    });
  });
});
