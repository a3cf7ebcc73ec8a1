import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import { type Client, createClient, type SpeechError } from '../../../client/index.js';
import { createSpeech, getCredits, searchVoices } from '../../../client/interface/operations.js';
import { KEY, withClient, withService } from '../../support/service/client-for.js';
import { faults, type FaultName, withFault } from '../../support/net/fault-server.js';
import { rejection } from '../../support/rejection.js';
import { refused, type Script, spoken } from '../../support/net/scripted-server.js';

const speech = { voice_id: 'v1', text: 'Hello', language: 'en' };
const longText = 'This is a sentence of some length, and another one follows it. '.repeat(40);

/** The value as `inspect`, `String` and `JSON.stringify` print it. */
const printed = (thing: unknown) =>
  [inspect(thing, { depth: 10, showHidden: true, getters: true }), String(thing), JSON.stringify(thing)].join(
    '\n',
  );

/** The text with every character as a JSON escape sequence. */
const escaped = (text: string) =>
  text.replace(/./g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);

describe('the API key', () => {
  it('is sent only in the header x-sup-api-key', () =>
    withService(
      ({ path }) => (path.startsWith('/v1/text') ? spoken() : { body: { items: [] } }),
      async (client, server) => {
        await client.call(createSpeech, speech);
        await client.call(searchVoices, { name: 'anna' });
        for (const { headers, path, query, body } of server.requests) {
          const { 'x-sup-api-key': key, ...others } = headers;
          assert.equal(key, KEY);
          assert.ok(!JSON.stringify([others, path, query.toString(), body.toString()]).includes(KEY));
        }
      },
    ));

  it('is not sent to the target of a redirect', () =>
    withService(
      (_request, index) => (index === 0 ? { status: 302, headers: { location: '/v1/elsewhere' } } : spoken()),
      async (client, server) => {
        const error = await rejection(client.call(createSpeech, speech));
        assert.deepEqual([error.code, error.status], ['bad-reply', 302]);
        assert.equal(server.requests.length, 1);
      },
    ));

  it('is not shown when the client is printed', async () => {
    const client = createClient({ url: 'http://127.0.0.1:9', apiKey: KEY });
    assert.ok(!printed(client).includes(KEY));
    await client.close();
  });

  const special = String.raw`sk"/\<&>%41key`;
  const echoes: [string, string, Script][] = [
    [
      'in its message',
      KEY,
      () => ({ status: 401, body: { status: 'error', message: `no such key: ${KEY}` } }),
    ],
    [
      'in a nested message',
      KEY,
      () => ({ status: 500, body: { message: { message: [`key ${KEY}`], error: KEY } } }),
    ],
    [
      'with special characters in a JSON message',
      special,
      () => ({ status: 400, body: { message: `key ${special}` } }),
    ],
    [
      'as escape sequences in a message',
      KEY,
      () => ({ status: 400, body: Buffer.from(`{"message":"key ${escaped(KEY)}"}`) }),
    ],
    ['at the end of a long message', KEY, () => ({ status: 400, body: { message: 'x'.repeat(290) + KEY } })],
    ['in upper case', KEY, () => ({ status: 400, body: { message: `KEY ${KEY.toUpperCase()}` } })],
    [
      'in an HTML page',
      KEY,
      () => ({ status: 502, headers: { 'content-type': 'text/html' }, body: Buffer.from(KEY) }),
    ],
    [
      'in the content type',
      KEY,
      () => ({ headers: { 'content-type': `text/${KEY}` }, body: Buffer.from('x') }),
    ],
    ['in a reply of the wrong shape', KEY, () => ({ body: { items: KEY } })],
    [
      'as the name and a field of an invalid voice',
      KEY,
      () => ({ body: { items: [{ name: KEY, [KEY]: 1 }] } }),
    ],
    ['in incomplete JSON', KEY, () => ({ body: Buffer.from(`{"items": "${KEY}"`) })],
  ];
  for (const [where, apiKey, script] of echoes) {
    it(`is removed from the error if the service repeats it ${where}`, () =>
      withService(
        script,
        async (client) => {
          const text = printed(await rejection(client.call(searchVoices, {})));
          assert.ok(!text.toLowerCase().includes(apiKey.toLowerCase()));
          assert.ok(!text.toLowerCase().includes(apiKey.slice(0, 8).toLowerCase()));
        },
        { apiKey, attempts: 1 },
      ));
  }

  for (const fault of Object.keys(faults).filter((name) => !/drip|handshake|silence|no answer/.test(name))) {
    it(`is not in the error if the service fails: ${fault}`, () =>
      withFault(fault as FaultName, ({ url }) =>
        withClient({ url, attempts: 1 }, async (client) => {
          assert.ok(!printed(await rejection(client.call(createSpeech, speech))).includes(KEY));
        }),
      ));
  }
});

/** Stages at which a call can be aborted, each with a service that keeps the call in this stage. */
const stages: Record<
  string,
  { script: Script; rate?: number; before?: (client: Client) => Promise<unknown> }
> = {
  'waiting for the rate limit': {
    script: () => ({ body: { balance: 1 } }),
    rate: 1,
    before: (client) => client.call(getCredits, {}),
  },
  'waiting for a retry': { script: () => refused(503, { 'retry-after': '20' }) },
  'waiting after a 429': { script: () => refused(429, { 'retry-after': '20' }) },
  'waiting for a reply': { script: () => new Promise(() => {}) },
};

const patient = {
  firstByteTimeout: 30_000,
  idleTimeout: 30_000,
  totalTimeout: 120_000,
  connectTimeout: 30_000,
};

/** Starts a call, stops it after 50 ms by its signal or by closing the client, and returns its error. */
async function stopped(client: Client, by: 'signal' | 'close'): Promise<SpeechError> {
  const controller = new AbortController();
  const error = rejection(client.call(getCredits, {}, { signal: controller.signal }));
  await new Promise((resolve) => setTimeout(resolve, 50));
  if (by === 'close') await client.close();
  else controller.abort();
  return error;
}

describe('a call', () => {
  for (const by of ['signal', 'close'] as const) {
    for (const [stage, { script, rate = Infinity, before }] of Object.entries(stages)) {
      it(`rejects with aborted on ${by} while ${stage}, and leaves nothing open`, () =>
        withService(
          script,
          async (client) => {
            await before?.(client);
            assert.equal((await stopped(client, by)).code, 'aborted');
          },
          { ...patient, requestsPerMinute: rate },
        ));
    }

    for (const fault of [
      'TLS handshake without an answer',
      'headers, then silence',
      'dripping body',
    ] as const) {
      it(`rejects with aborted on ${by} during: ${fault}, and leaves nothing open`, () =>
        withFault(fault, ({ url }) =>
          withClient({ url, ...patient }, async (client) => {
            assert.equal((await stopped(client, by)).code, 'aborted');
          }),
        ));
    }

    it(`rejects with aborted on ${by} during a long text, and leaves nothing open`, async () => {
      const asked = new EventEmitter();
      await withService(
        (_, index) => new Promise(() => asked.emit(`request ${index + 1}`)),
        async (client, server) => {
          const controller = new AbortController();
          const error = rejection(client.speak({ ...speech, text: longText }, { signal: controller.signal }));
          await once(asked, 'request 4');
          if (by === 'close') await client.close();
          else controller.abort();
          assert.equal((await error).code, 'aborted');
          assert.equal(server.requests.length, 4);
        },
        patient,
      );
    });
  }

  it('waits for a free connection of `connections`', () => {
    let open = 0;
    let most = 0;
    return withService(
      async () => {
        most = Math.max(most, (open += 1));
        await new Promise((resolve) => setTimeout(resolve, 20));
        open -= 1;
        return { body: { balance: 1 } };
      },
      async (client) => {
        await Promise.all(Array.from({ length: 9 }, () => client.call(getCredits, {})));
        assert.equal(most, 3);
      },
      { connections: 3 },
    );
  });

  it('rejects with timed-out after `totalTimeout`, also during the connect', () =>
    withFault('TLS handshake without an answer', ({ url }) =>
      withClient({ url, ...patient, totalTimeout: 100 }, async (client) => {
        assert.equal((await rejection(client.call(getCredits, {}))).code, 'timed-out');
      }),
    ));

  it('causes no warning about listeners if 40 calls share a signal', () =>
    withService(
      () => ({ body: { balance: 1 } }),
      async (client) => {
        const warnings: Error[] = [];
        const note = (warning: Error) => warnings.push(warning);
        process.on('warning', note);
        const { signal } = new AbortController();
        await Promise.all(Array.from({ length: 40 }, () => client.call(getCredits, {}, { signal })));
        process.off('warning', note);
        assert.deepEqual(warnings, []);
      },
      { connections: 20 },
    ));
});

describe('a closed client', () => {
  it('rejects every later call with aborted and sends nothing', () =>
    withService(
      () => refused(402),
      async (client, server) => {
        await rejection(client.call(createSpeech, speech));
        await client.close();
        const pages = client.pages(searchVoices, {});
        const calls = [
          client.call(createSpeech, speech),
          client.call(getCredits, {}),
          client.speak({ ...speech, text: longText }),
          client.predict(speech),
          pages.next(),
        ];
        for (const { code } of await Promise.all(calls.map(rejection))) assert.equal(code, 'aborted');
        assert.equal(server.requests.length, 1);
      },
    ));

  it('leaves no connection open after aborted calls', () => {
    let stop = new AbortController();
    return withService(
      () => {
        stop.abort();
        return new Promise(() => {});
      },
      async (client) => {
        for (let call = 0; call < 3; call += 1) {
          stop = new AbortController();
          await rejection(client.call(getCredits, {}, { signal: stop.signal }));
        }
        await client.close();
      },
    );
  });

  it('can be closed again', () =>
    withService(
      () => ({ body: { balance: 1 } }),
      async (client) => {
        await client.call(getCredits, {});
        await Promise.all([client.close(), client.close()]);
      },
    ));
});

describe('a language without a chosen voice', () => {
  const voice = (voice_id: string, natural = false) => ({
    voice_id,
    name: voice_id,
    description: '',
    age: 'middle-aged',
    gender: 'male',
    use_case: 'narration',
    language: ['de'],
    styles: ['neutral'],
    models: ['main_speech_1'],
    samples: [],
    ...(natural && { natural, live: true }),
  });

  /** Asks for the voice twice. A natural voice is installed in between. Returns both voices. */
  async function voicesOf(isLocal: boolean) {
    let items = [voice('simple')];
    const found: unknown[] = [];
    await withService(
      () => ({ body: { items, next_page_token: null } }),
      async (_, { url }) => {
        const here = createClient({
          url,
          apiKey: KEY,
          ...(isLocal && { locate: async () => ({ url, apiKey: KEY }) }),
        });
        found.push((await here.complete({ text: 'Hallo', language: 'de' })).voice_id);
        items = [voice('thorsten', true), ...items];
        await sleep(1100);
        found.push((await here.complete({ text: 'Hallo', language: 'de' })).voice_id);
        await here.close();
      },
    );
    return found;
  }

  it('uses a natural voice of the local service a second after its installation', async () => {
    assert.deepEqual(await voicesOf(true), ['simple', 'thorsten']);
  });

  it('asks a hosted service for its voices no more than every ten minutes', async () => {
    assert.deepEqual(await voicesOf(false), ['simple', 'simple']);
  });
});
