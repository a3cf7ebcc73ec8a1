import assert from 'node:assert/strict';
import { rejection } from '../../../support/rejection.js';
import { type Script, type Scripted, type Seen } from '../../../support/net/scripted-server.js';
import { KEY } from '../../../support/service/client-for.js';
import { failed, typed, withOpenAi } from './support.js';

interface Lists {
  voices?: Scripted;
  models?: Scripted;
  /** Whether the lists need the key of the account. */
  isLocked?: boolean;
}

const NOTHING: Scripted = { status: 404, body: { detail: 'Not Found' } };
const page = (status: number) =>
  typed('text/html; charset=utf-8', '<!DOCTYPE html><title>Files</title>', status);

const isStranger = ({ headers }: Seen): boolean => headers.authorization !== `Bearer ${KEY}`;

const service =
  ({ voices = NOTHING, models = NOTHING, isLocked = false }: Lists): Script =>
  (request) => {
    if (isLocked && isStranger(request)) return failed(401, { code: 'invalid_api_key' });
    if (request.path === '/v1/audio/voices') return voices;
    return request.path === '/v1/models' ? models : NOTHING;
  };

const examined = (lists: Lists, options: Parameters<typeof withOpenAi>[2] = {}) =>
  withOpenAi(
    service(lists),
    async (client) => (await client.examine()) ?? assert.fail('no examination'),
    options,
  );

const VOICES = { body: { voices: ['anna'] } };
const MODELS = { body: { object: 'list', data: [{ id: 'tts-1' }, { id: 'kokoro' }] } };

describe('the examination of an OpenAI-compatible service', () => {
  for (const [what, lists, expected] of [
    ['confirms the address by its list of voices', { voices: VOICES }, ['confirmed', true, undefined]],
    [
      'confirms the address by its list of models',
      { models: MODELS },
      ['confirmed', false, ['tts-1', 'kokoro']],
    ],
    ['confirms no address without lists', {}, ['unknown', false, undefined]],
    [
      'confirms no address with empty lists',
      { voices: { body: [] }, models: { body: { data: [] } } },
      ['unknown', false, undefined],
    ],
    [
      'confirms no address if a page says that the path is missing',
      { voices: page(404), models: page(404) },
      ['page', false, undefined],
    ],
    [
      'confirms no address if every path is a page',
      { voices: page(200), models: page(200) },
      ['page', false, undefined],
    ],
  ] as const)
    it(what, async () => {
      const { address, listsVoices, models } = await examined(lists);
      assert.deepEqual([address, listsVoices, models], expected);
    });

  it('detects whether the service refuses a wrong key', async () => {
    const checked = async (lists: Lists, apiKey = KEY) => (await examined(lists, { apiKey })).isKeyChecked;
    assert.equal(await checked({ voices: VOICES, isLocked: true }), true);
    assert.equal(await checked({ models: MODELS, isLocked: true }), true);
    assert.equal(await checked({ voices: VOICES, models: MODELS }), false);
    assert.equal(await checked({ models: MODELS }, ''), false);
    assert.equal(await checked({}), false);
  });

  it('sends the key of the account, then a wrong key in place of it', () =>
    withOpenAi(service({ models: MODELS }), async (client, { requests }) => {
      await client.examine();
      assert.deepEqual(
        requests.map(({ path }) => path),
        ['/v1/audio/voices', '/v1/models', '/v1/models'],
      );
      assert.deepEqual(requests.map(isStranger), [false, false, true]);
    }));

  it('names the model of the account, or the default one', async () => {
    assert.equal((await examined({ models: MODELS })).model, 'tts-1');
    assert.equal((await examined({ models: MODELS }, { openai: { model: 'kokoro' } })).model, 'kokoro');
  });

  it('fails if the list of models refuses the key and no voices are listed', async () => {
    const refused = failed(401, { code: 'invalid_api_key' });
    const { code } = await withOpenAi(service({ models: refused }), (client) => rejection(client.examine()));
    assert.equal(code, 'unauthorized');
    assert.equal((await examined({ voices: VOICES, models: refused })).address, 'confirmed');
  });

  it('ends with the client, and with its caller', async () => {
    const error = await withOpenAi(
      ({ gone }) =>
        new Promise((resolve) => gone.addEventListener('abort', () => resolve(NOTHING), { once: true })),
      (client) => rejection(client.examine({ signal: AbortSignal.timeout(50) })),
    );
    assert.equal(error.code, 'aborted');
  });
});
