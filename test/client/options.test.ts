import assert from 'node:assert/strict';
import { type ClientOptions, createClient, SpeechError } from '../../client/index.js';
import { settingsOf, usableKey } from '../../client/options.js';
import { getCredits } from '../../client/interface/operations.js';
import { KEY, withService } from '../support/client-for.js';
import { withServer } from '../support/scripted-server.js';

const options = { url: 'https://speech.example.com', apiKey: KEY };

/** The words with which a client with these options is refused. */
function refusal(wrong: object): string {
  try {
    const given: ClientOptions = { ...options, ...wrong };
    void createClient(given).close();
  } catch (error) {
    assert.ok(error instanceof SpeechError);
    assert.deepEqual([error.code, error.route], ['not-configured', 'fatal']);
    return error.message;
  }
  return assert.fail('the client was made');
}

describe('an API key', () => {
  for (const [what, around] of Object.entries({
    'a space before': (key: string) => ` ${key}`,
    'a space behind': (key: string) => `${key} `,
    'a line end': (key: string) => `${key}\r\n`,
    'a tab': (key: string) => `\t${key}`,
    'a no-break space': (key: string) => `${key}\u00a0`,
    'a byte order mark': (key: string) => `\ufeff${key}`,
  })) {
    it(`with ${what} is refused before anything is sent, and not shown`, () =>
      withServer(
        () => ({}),
        async ({ url, requests }) => {
          const message = refusal({ url, apiKey: around(KEY) });
          assert.match(message, /apiKey has white space around it/);
          assert.ok(!message.includes(KEY));
          assert.equal(requests.length, 0);
        },
      ));
  }

  for (const [what, key] of Object.entries({
    empty: '',
    missing: undefined,
    'a number': 7,
    'of white space': '  ',
  })) {
    it(`that is ${what} is refused`, () =>
      assert.match(refusal({ apiKey: key }), /apiKey (is missing|has white)/));
  }

  it('with a character that no header takes is refused, and not shown', () => {
    for (const odd of ['ke y', 'ke\ny', 'kéy', 'k\u0000ey']) {
      assert.throws(
        () => usableKey(odd),
        (error) => error instanceof SpeechError && !error.message.includes(odd),
      );
    }
  });
});

describe('an option', () => {
  const whole = ['attempts', 'retryBudget', 'connectTimeout', 'totalTimeout', 'maxReplyBytes', 'concurrency'];
  for (const name of whole) {
    it(`${name} is a whole number above 0, and a refusal names it and its value`, () => {
      for (const value of [0, -1, 1.5, Number.NaN, Infinity, '5', null, 2 ** 31]) {
        assert.match(refusal({ [name]: value }), new RegExp(`^${name} is `));
      }
    });
  }

  for (const name of ['requestsPerMinute', 'clonesPerMinute'] as const) {
    it(`${name} may be without bound, but not a part of a request`, () => {
      assert.equal(settingsOf({ ...options, [name]: Infinity })[name], Infinity);
      for (const value of [0, 0.5, -20, 'fast', Number.NaN]) {
        assert.match(refusal({ [name]: value }), new RegExp(`^${name} is .*expected`));
      }
    });
  }

  it('replaceHash is true or false', () =>
    assert.match(refusal({ replaceHash: 'no' }), /^replaceHash is "no": .*boolean/));

  it('that is undefined takes its default', () => {
    const given: ClientOptions = { ...options };
    Reflect.set(given, 'attempts', undefined);
    const { attempts, requestsPerMinute } = settingsOf(given);
    assert.deepEqual([attempts, requestsPerMinute], [4, 'auto']);
  });
});

describe('the address of a service', () => {
  for (const path of ['', '/', '/v1', '/v1/', '/speech', '/speech/v1/']) {
    it(`may end in "${path}"`, () =>
      withService(
        () => ({ body: { balance: 1 } }),
        async (_client, server) => {
          const client = createClient({ ...options, url: `${server.url}${path}` });
          await client.call(getCredits, {});
          await client.close();
          const base = path.startsWith('/speech') ? '/speech' : '';
          assert.equal(server.requests[0]?.path, `${base}/v1/credits`);
        },
      ));
  }

  for (const [url, words] of [
    ['speech.example.com', /not an address/],
    ['', /not an address/],
    [undefined, /not an address/],
    ['ftp://speech.example.com', /ftp: is not http or https/],
    ['https://anna:secret@speech.example.com', /user name or password/],
    ['https://:secret@speech.example.com', /user name or password/],
    ['https://speech.example.com/?key=secret', /query or fragment/],
    ['https://speech.example.com/#secret', /query or fragment/],
  ] as const) {
    it(`is not ${url}, and a refusal shows no secret of it`, () => {
      const message = refusal({ url });
      assert.match(message, words);
      assert.doesNotMatch(message, /secret/);
    });
  }
});
