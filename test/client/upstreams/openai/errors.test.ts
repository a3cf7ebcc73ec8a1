import assert from 'node:assert/strict';
import { type FailureCode, failures } from '../../../../client/base/errors.js';
import { createSpeech } from '../../../../client/interface/operations.js';
import { rejection } from '../../../support/rejection.js';
import { KEY } from '../../../support/service/client-for.js';
import { type Scripted, spoken } from '../../../support/net/scripted-server.js';
import { failed, speech, typed, withOpenAi } from './support.js';

interface Case {
  reply: Scripted;
  code: FailureCode;
  /** Requests for a client with three attempts. */
  sent: 1 | 3;
  message: RegExp;
}

const wrongVoice = /^voice_id "nova": the service has no such voice\./;
const wrongModel = /^model "tts-1": the service has no such model\. Enter a model/;
const once = (code: FailureCode, reply: Scripted, message: RegExp): Case => ({
  reply,
  code,
  sent: 1,
  message,
});
const repeated = (code: FailureCode, reply: Scripted, message: RegExp): Case => ({
  reply,
  code,
  sent: 3,
  message,
});

const cases: Record<string, Case> = {
  'a wrong key': once(
    'unauthorized',
    failed(401, { code: 'invalid_api_key' }),
    /does not accept the API key/,
  ),
  'a key without permission': once('forbidden', failed(403, { type: 'permission' }), /does not permit/),
  'no credits': once('out-of-credits', { status: 402 }, /no credits left/),
  'a code insufficient_quota': once(
    'out-of-credits',
    failed(429, { code: 'insufficient_quota' }),
    /no quota left \(429\): add credits/,
  ),
  'a type insufficient_quota': once(
    'out-of-credits',
    failed(429, { type: 'insufficient_quota' }, { 'retry-after': '1' }),
    /no quota left/,
  ),
  'a 404 with a code of the model': once('not-found', failed(404, { code: 'model_not_found' }), wrongModel),
  'a 404 with the field voice': once('not-found', failed(404, { param: 'voice' }), wrongVoice),
  'a 404 that names the voice in its text': once(
    'not-found',
    { status: 404, body: { detail: 'Voice nova is not installed for model tts-1' } },
    wrongVoice,
  ),
  'a 404 that names the model in a text error': once(
    'not-found',
    { status: 404, body: { error: 'Model tts-1 is not loaded' } },
    wrongModel,
  ),
  'a 400 VOICE_NOT_FOUND': once('not-found', failed(400, { code: 'VOICE_NOT_FOUND' }), wrongVoice),
  'a 400 with a nested detail': once(
    'not-found',
    {
      status: 400,
      body: { detail: { error: 'validation_error', message: "Voice 'nova' not found. Available voices: a" } },
    },
    wrongVoice,
  ),
  'a 422 for the field voice': once(
    'not-found',
    { status: 422, body: { detail: [{ loc: ['body', 'voice'], msg: 'Input should be a', type: 'enum' }] } },
    wrongVoice,
  ),
  'a 400 for an invalid model': once(
    'not-found',
    failed(400, { message: 'unknown model tts-1' }),
    wrongModel,
  ),
  'a 404 of another path': once(
    'not-found',
    { status: 404, body: { detail: 'Not Found' } },
    /no speech at this address \(404\): check the base URL/,
  ),
  'a 404 with a page': once('not-found', typed('text/html', '<h1>voice</h1>', 404), /check the base URL/),
  'a 405': once('not-found', { status: 405, body: { detail: 'Method Not Allowed' } }, /check the base URL/),
  'an empty text': once(
    'bad-request',
    failed(400, { code: 'TEXT_INVALID', message: 'text is empty' }),
    /replied 400: text is empty/,
  ),
  'nothing to speak': once(
    'bad-request',
    failed(422, { code: 'NOTHING_TO_SPEAK', message: 'nothing to say' }),
    /replied 422: nothing to say/,
  ),
  'a text that is too long': once('too-large', { status: 413 }, /shorten the text/),
  'an error as text': once(
    'bad-request',
    { status: 400, body: { error: 'speed too high' } },
    /speed too high/,
  ),
  'an error as detail': once('bad-request', { status: 400, body: { detail: 'bad speed' } }, /bad speed/),
  'an error as message': once('bad-request', { status: 400, body: { message: 'no luck' } }, /no luck/),
  'an error as plain text': once(
    'bad-request',
    typed('text/plain', 'oops', 400),
    /^the service replied 400$/,
  ),
  'no default voice': once(
    'not-found',
    failed(503, { code: 'no_default_voice' }),
    /^voice_id "nova": .*no default voice\. Search for a voice/,
  ),
  'a voice that is not loaded, offline': once(
    'not-found',
    failed(503, { code: 'OFFLINE' }),
    /not loaded this voice, and cannot download it\. Load it/,
  ),
  'a redirect': once('bad-reply', { status: 307, headers: { location: '/login' } }, /replied 307/),
  'a 500': repeated('service-failed', failed(500, {}), /has a fault \(500\)/),
  'a 502 with a page': repeated('service-failed', typed('text/html', '<html>voice</html>', 502), /\(502\)/),
  'an overloaded service': repeated('service-failed', failed(503, { code: 'overloaded' }), /\(503\)/),
  'too many requests': repeated(
    'rate-limited',
    failed(429, { code: 'rate_limit_exceeded' }, { 'retry-after-ms': '5' }),
    /too many requests/,
  ),
};

describe('an error of an OpenAI-compatible service', () => {
  for (const [what, { reply, code, sent, message }] of Object.entries(cases))
    it(`is ${code} after ${sent === 1 ? 'one request' : 'three requests'} for ${what}`, () =>
      withOpenAi(
        () => reply,
        async (client, { requests }) => {
          const error = await rejection(client.call(createSpeech, speech));
          assert.deepEqual([error.code, error.route], [code, failures[code].route], error.message);
          assert.match(error.message, message);
          assert.deepEqual([requests.length, error.attempts], [sent, sent]);
        },
      ));

  it('names the missing key if the account has none', () =>
    withOpenAi(
      () => failed(401, {}),
      async (client) => {
        const error = await rejection(client.call(createSpeech, speech));
        assert.equal(error.code, 'unauthorized');
        assert.match(error.message, /needs an API key \(401\): enter its key/);
      },
      { apiKey: '' },
    ));

  it('never contains the key that the service repeats', () =>
    withOpenAi(
      () => failed(400, { message: `Incorrect API key provided: ${KEY}` }),
      async (client) => {
        const error = await rejection(client.call(createSpeech, speech));
        assert.match(error.message, /Incorrect API key provided: \*\*\*/);
        assert.ok(!JSON.stringify([error, error.message, error.stack]).includes(KEY));
      },
    ));

  it('has the text of the service in its own field, at most 300 characters', () =>
    withOpenAi(
      () => failed(401, { message: 'x'.repeat(9000) }),
      async (client) => {
        const { service, message } = await rejection(client.call(createSpeech, speech));
        assert.equal(service?.length, 300);
        assert.doesNotMatch(message, /xxx/);
      },
    ));

  it('without an end of nested parts is read quickly', () => {
    const body = Buffer.from(`${'{"error":'.repeat(10_000)}1${'}'.repeat(10_000)}`);
    return withOpenAi(
      () => typed('application/json', body, 400),
      async (client) => {
        assert.equal((await rejection(client.call(createSpeech, speech))).code, 'bad-request');
      },
    );
  });

  it('does not stop a later request', () =>
    withOpenAi(
      (_request, index) => (index === 0 ? failed(404, { param: 'voice' }) : spoken()),
      async (client) => {
        await rejection(client.call(createSpeech, speech));
        assert.equal((await client.call(createSpeech, speech)).format, 'wav');
      },
    ));
});

describe('a text for an OpenAI-compatible service', () => {
  it('fails with the model if the service lacks the model, and not with the voice', () =>
    withOpenAi(
      ({ path }) =>
        path === '/v1/audio/voices' ? { status: 404 } : failed(404, { code: 'model_not_found' }),
      async (client) => {
        const { code, message } = await rejection(client.speak({ ...speech, model: 'tts-9' }));
        assert.deepEqual([code, message.startsWith('model "tts-9"')], ['not-found', true]);
      },
    ));

  it('fails with the base URL if nothing speaks at this address', () =>
    withOpenAi(
      () => failed(404, { message: 'unknown path' }),
      async (client) => assert.match((await rejection(client.speak(speech))).message, /check the base URL/),
    ));
});
