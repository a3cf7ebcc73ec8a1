import assert from 'node:assert/strict';
import { type ClientOptions, createClient, SpeechError } from '../../../client/index.js';
import { settingsOf } from '../../../client/api/options.js';
import { usableKey } from '../../../client/base/url-and-key.js';
import { getCredits } from '../../../client/interface/operations.js';
import { KEY, withService } from '../../support/service/client-for.js';
import { withServer } from '../../support/net/scripted-server.js';

const options = { url: 'https://speech.example.com', apiKey: KEY };

/** The error message of `createClient` with these options. */
function refusal(invalid: object): string {
  try {
    const given: ClientOptions = { ...options, ...invalid };
    void createClient(given).close();
  } catch (error) {
    assert.ok(error instanceof SpeechError);
    assert.deepEqual([error.code, error.route], ['not-configured', 'fatal']);
    return error.message;
  }
  return assert.fail('the client was created');
}

describe('an API key', () => {
  for (const [what, around] of Object.entries({
    'a space before': (key: string) => ` ${key}`,
    'a space after': (key: string) => `${key} `,
    'a line end': (key: string) => `${key}\r\n`,
    'a tab': (key: string) => `\t${key}`,
    'a no-break space': (key: string) => `${key}\u00a0`,
    'a byte order mark': (key: string) => `\ufeff${key}`,
  })) {
    it(`is rejected without being shown: ${what}`, () =>
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
    'white space': '  ',
  })) {
    it(`is rejected: ${what}`, () => assert.match(refusal({ apiKey: key }), /apiKey (is missing|has white)/));
  }

  it('is rejected without being shown if a character is not allowed in a header', () => {
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
    it(`must be a whole number above 0: ${name}`, () => {
      for (const value of [0, -1, 1.5, Number.NaN, Infinity, '5', null, 2 ** 31]) {
        assert.match(refusal({ [name]: value }), new RegExp(`^${name} is `));
      }
    });
  }

  for (const name of ['requestsPerMinute', 'clonesPerMinute'] as const) {
    it(`must be a number of at least 1, or Infinity: ${name}`, () => {
      assert.equal(settingsOf({ ...options, [name]: Infinity })[name], Infinity);
      for (const value of [0, 0.5, -20, 'fast', Number.NaN]) {
        assert.match(refusal({ [name]: value }), new RegExp(`^${name} is .*expected`));
      }
    });
  }

  for (const [value, rule] of [
    [1.5, 'expected a whole number'],
    [0, 'expected a number of at least 1'],
    [2 ** 31, 'expected a number of at most 2147483647'],
  ]) {
    it(`is refused with the rule that ${value} breaks`, () =>
      assert.equal(refusal({ attempts: value }), `attempts is ${value}: ${rule}`));
  }

  it('must be true or false: replaceHash', () =>
    assert.match(refusal({ replaceHash: 'no' }), /^replaceHash is "no": .*enter true or false/));

  it('has its default if undefined', () => {
    const given: ClientOptions = { ...options };
    Reflect.set(given, 'attempts', undefined);
    const { attempts, requestsPerMinute } = settingsOf(given);
    assert.deepEqual([attempts, requestsPerMinute], [4, 'auto']);
  });
});

describe('the base URL', () => {
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

  for (const [url, message] of [
    ['speech.example.com', /starts without http/],
    ['', /url is missing/],
    [undefined, /url is missing/],
    ['ftp://speech.example.com', /ftp: is not http or https/],
    ['https://anna:secret@speech.example.com', /user name or password/],
    ['https://:secret@speech.example.com', /user name or password/],
    ['https://speech.example.com/?key=secret', /query or fragment/],
    ['https://speech.example.com/#secret', /query or fragment/],
  ] as const) {
    it(`is rejected without showing its secret: ${url}`, () => {
      const shown = refusal({ url });
      assert.match(shown, message);
      assert.doesNotMatch(shown, /secret/);
    });
  }
});
