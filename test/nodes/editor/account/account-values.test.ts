import assert from 'node:assert/strict';
import { createClient } from '@herald-speech/client';
import { hostOf, isLanguage, isRate } from '../../../../nodes/editor/account/account-values.js';
import { urlProblem, withScheme } from '../../../../nodes/editor/lib/typed-text.js';

const VALID = ['https://speech.example.com', 'http://127.0.0.1:8080/v1', ' https://speech.example.com/ '];
const INVALID = [
  '',
  'speech.example.com',
  'ftp://example.com',
  'https://',
  'http://a b',
  'https://a:b@example.com',
  'https://a.b/?key=1',
];

describe('base URL check', () => {
  it('accepts exactly the URLs that the client accepts', async () => {
    for (const url of [...VALID, ...INVALID]) {
      assert.equal(urlProblem(url) === undefined, await clientAccepts(url), url);
    }
  });

  it('names the reason of a refusal', () => {
    assert.deepEqual(INVALID.map(urlProblem), [
      'url-blank',
      'url-scheme',
      'url-scheme',
      'url-unreadable',
      'url-unreadable',
      'url-secret',
      'url-extra',
    ]);
  });

  it('completes an address without a scheme as the error of the client does', async () => {
    const addresses = [
      '127.0.0.1:21890',
      'localhost:8880/v1',
      'piper:8000',
      'speech.example.com',
      'nas.local/tts',
    ];
    for (const url of addresses)
      await assert.rejects(
        createClientOf(url),
        ({ message }: Error) => message.endsWith(`: enter ${withScheme(url)}`),
        url,
      );
    assert.equal(withScheme('127.0.0.1:21890'), 'http://127.0.0.1:21890');
    assert.equal(withScheme('speech.example.com'), 'https://speech.example.com');
  });

  it('accepts an environment variable', () => {
    assert.equal(urlProblem('${SPEECH_URL}'), undefined);
    assert.equal(hostOf('${SPEECH_URL}'), '${SPEECH_URL}');
  });

  it('shows a URL as its host and port', () => {
    assert.equal(hostOf('https://speech.example.com:8443/v1'), 'speech.example.com:8443');
  });
});

describe('account values check', () => {
  it('accepts a rate that is automatic, an integer above 0 or an environment variable', () => {
    for (const rate of ['auto', '', undefined, '60', 45, '${RATE}']) assert.ok(isRate(rate), String(rate));
    for (const rate of ['0', '-1', '1.5', 'fast', 'NaN']) assert.ok(!isRate(rate), rate);
  });

  it('accepts a language that is blank, two lower case letters, also with a region, or an environment variable', () => {
    for (const language of ['', undefined, 'en', 'en-US', 'pt_BR', '${LANGUAGE}'])
      assert.ok(isLanguage(language), language);
    for (const language of ['EN', 'eng', 'en-', 'en US', 'e']) assert.ok(!isLanguage(language), language);
  });
});

const createClientOf = async (url: string) => createClient({ url, apiKey: 'key' }).close();

async function clientAccepts(url: string): Promise<boolean> {
  try {
    await createClient({ url, apiKey: 'key' }).close();
    return true;
  } catch {
    return false;
  }
}
