import assert from 'node:assert/strict';
import { wyoming } from '../../../../client/upstreams/wyoming/wyoming.js';
import { createClient } from '../../../../client/index.js';
import { rejection } from '../../../support/rejection.js';

const addressOf = (url: unknown, apiKey: unknown = '') => wyoming.addressOf({ url, apiKey });
const failure = (url: unknown) => rejection(Promise.resolve().then(() => addressOf(url)));

describe('the address of a Wyoming server', () => {
  it('is a host with or without a port, with or without tcp://, and has one form', () => {
    const forms: Record<string, string> = {
      'tcp://192.168.1.5:10300': 'tcp://192.168.1.5:10300',
      '192.168.1.5:10300': 'tcp://192.168.1.5:10300',
      '192.168.1.5': 'tcp://192.168.1.5:10200',
      ' Speech.Local ': 'tcp://speech.local:10200',
      'TCP://speech.local/': 'tcp://speech.local:10200',
      'core-piper:10200': 'tcp://core-piper:10200',
      wyoming_piper: 'tcp://wyoming_piper:10200',
      'küche.local': 'tcp://xn--kche-0ra.local:10200',
      '[::1]:10300': 'tcp://[::1]:10300',
      'tcp://[2001:DB8::5]': 'tcp://[2001:db8::5]:10200',
      '::1': 'tcp://[::1]:10200',
    };
    for (const [typed, url] of Object.entries(forms)) assert.equal(addressOf(typed).url, url, typed);
    for (const url of Object.values(forms)) assert.equal(addressOf(url).url, url);
  });

  it('is refused with the name of the option and an example unless it has a host', async () => {
    const invalid = [
      'http://speech.local:10200',
      'unix:///run/piper.sock',
      'tcp://user:secret@speech.local',
      'speech.local:0',
      'speech.local:65536',
      'speech.local:port',
      'speech.local:10200/path',
      'speech.local?query',
      '[::1',
      '[speech]:10200',
      'two words',
      ':10200',
      'a'.repeat(100_000),
    ];
    for (const typed of invalid) {
      const { code, message } = await failure(typed);
      assert.equal(code, 'not-configured', typed.slice(0, 40));
      assert.match(message, /^url: expected a host .*tcp:\/\//);
      assert.ok(!message.includes('secret'));
    }
    for (const missing of ['', '  ', undefined, 7]) {
      const { code, message } = await failure(missing);
      assert.equal(code, 'not-configured');
      assert.match(message, /^url is missing/);
    }
  });

  it('takes no key: a saved key of another service has no effect and is not kept', async () => {
    assert.equal(addressOf('speech.local', 'sk-saved').apiKey, '');
    const client = createClient({ url: '127.0.0.1', apiKey: 'sk-saved', upstream: { kind: 'wyoming' } });
    await client.close();
  });
});
