import assert from 'node:assert/strict';
import { createClient } from '@herald-speech/client';
import { hostOf, isLanguage, isRate, urlProblem } from '../../../../nodes/editor/account/service-url.js';

const GOOD = ['https://speech.example.com', 'http://127.0.0.1:8080/v1', ' https://speech.example.com/ '];
const BAD = [
  '',
  'speech.example.com',
  'ftp://example.com',
  'https://',
  'https://a:b@example.com',
  'https://a.b/?key=1',
];

describe('address of a hosted service', () => {
  it('is accepted in the dialog exactly when the client accepts it', async () => {
    for (const url of [...GOOD, ...BAD]) {
      assert.equal(urlProblem(url) === undefined, await clientAccepts(url), url);
    }
  });

  it('is refused with the reason', () => {
    assert.deepEqual(BAD.map(urlProblem), [
      'url-blank',
      'url-scheme',
      'url-scheme',
      'url-unreadable',
      'url-secret',
      'url-extra',
    ]);
  });

  it('may come from the environment', () => {
    assert.equal(urlProblem('${SPEECH_URL}'), undefined);
    assert.equal(hostOf('${SPEECH_URL}'), '${SPEECH_URL}');
  });

  it('is shown as its host', () => {
    assert.equal(hostOf('https://speech.example.com:8443/v1'), 'speech.example.com:8443');
  });
});

describe('other settings of an account', () => {
  it('take a rate that is automatic or a whole number above 0', () => {
    for (const rate of ['auto', '', undefined, '60', 45, '${RATE}']) assert.ok(isRate(rate), String(rate));
    for (const rate of ['0', '-1', '1.5', 'fast', 'NaN']) assert.ok(!isRate(rate), rate);
  });

  it('take a language that is blank or two small letters', () => {
    for (const language of ['', undefined, 'en', '${LANGUAGE}']) assert.ok(isLanguage(language), language);
    for (const language of ['EN', 'eng', 'en-US', 'e']) assert.ok(!isLanguage(language), language);
  });
});

async function clientAccepts(url: string): Promise<boolean> {
  try {
    await createClient({ url, apiKey: 'key' }).close();
    return true;
  } catch {
    return false;
  }
}
