import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { type ClientOptions, createClient, SpeechError } from '../../../../client/index.js';
import type { OpenAiOptions } from '../../../../client/upstreams/openai/openai.js';

const url = 'http://127.0.0.1:9/v1';

async function problemOf(
  openai: OpenAiOptions,
  options: { url?: string; apiKey?: string } = {},
): Promise<string> {
  try {
    await createClient({ url, apiKey: '', ...options, upstream: { kind: 'openai', ...openai } }).close();
    return '';
  } catch (error) {
    assert.ok(error instanceof SpeechError);
    assert.equal(error.code, 'not-configured');
    return error.message;
  }
}

describe('the options of an OpenAI-compatible service', () => {
  it('accept each option, and blank texts as missing', async () => {
    assert.equal(await problemOf({}), '');
    assert.equal(await problemOf({ model: ' ', voices: [], instructions: '' }), '');
    const all = { model: 'm', voices: ['a', 'b'], instructions: 'calm', maxTextLength: 20_000 };
    assert.equal(await problemOf(all), '');
  });

  it('are refused with the name of the option', async () => {
    assert.match(await problemOf({ maxTextLength: 0 }), /^upstream\.maxTextLength is 0: /);
    assert.match(await problemOf({ maxTextLength: 20_001 }), /^upstream\.maxTextLength is 20001: /);
    assert.match(await problemOf({ maxTextLength: 1.5 }), /^upstream\.maxTextLength is 1\.5: /);
    assert.match(await problemOf({ voices: ['a', 'b c'] }), /^upstream\.voices\.1 is "b c": expected an id/);
    assert.match(await problemOf({ model: 'm'.repeat(300) }), /^upstream\.model is "m+"… \(300 characters\)/);
  });

  it('need a base URL of HTTP or HTTPS, and a key that a header can have, or none', async () => {
    assert.match(await problemOf({}, { url: '' }), /^url is missing/);
    assert.match(await problemOf({}, { url: 'tcp://host:10200' }), /^url: tcp: is not http or https/);
    const bare = await problemOf({}, { url: '127.0.0.1:21890' });
    assert.equal(bare, 'url: starts without http:// or https://: enter http://127.0.0.1:21890');
    assert.match(await problemOf({}, { url: 'localhost:8880/v1' }), /: enter http:\/\/localhost:8880\/v1$/);
    assert.match(
      await problemOf({}, { url: 'speech.example.com' }),
      /: enter https:\/\/speech\.example\.com$/,
    );
    assert.match(await problemOf({}, { url: 'sk-Very-Secret.Key_1' }), /^url: not a URL; [^S]+$/);
    assert.match(await problemOf({}, { apiKey: 'a b' }), /^apiKey has a character/);
    assert.match(await problemOf({}, { apiKey: 'schlüssel' }), /^apiKey has a character/);
    assert.match(await problemOf({}, { apiKey: ' sk-1' }), /^apiKey has white space/);
  });

  it('belong to a kind of service that exists', () => {
    const wrong: ClientOptions = JSON.parse(
      '{"url": "http://127.0.0.1", "apiKey": "k", "upstream": {"kind": "opnai"}}',
    );
    assert.throws(() => createClient(wrong), {
      code: 'not-configured',
      message: 'upstream.kind is "opnai": expected a kind of docs/upstreams.md',
    });
  });

  it('never show the key', async () => {
    const apiKey = 'sk-very-secret-key';
    const client = createClient({ url, apiKey, upstream: { kind: 'openai' } });
    assert.ok(!inspect(client, { depth: 20, showHidden: true }).includes(apiKey));
    await client.close();
  });
});
