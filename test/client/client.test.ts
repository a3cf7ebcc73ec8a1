import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { inspect } from 'node:util';
import { type Client, createClient, type SpeechError } from '../../client/index.js';
import { createSpeech, getCredits, searchVoices } from '../../client/interface/operations.js';
import { KEY, withClient, withService } from '../support/client-for.js';
import { faults, type FaultName, withFault } from '../support/fault-server.js';
import { rejection } from '../support/rejection.js';
import { refused, type Script, spoken } from '../support/scripted-server.js';

const speech = { voice_id: 'v1', text: 'Hello', language: 'en' };
const longText = 'This is a sentence of some length, and another one follows it. '.repeat(40);

/** Every way in which a thing can be printed. */
const printed = (thing: unknown) =>
  [inspect(thing, { depth: 10, showHidden: true, getters: true }), String(thing), JSON.stringify(thing)].join(
    '\n',
  );

/** A JSON text with every character as its code. */
const escaped = (text: string) =>
  text.replace(/./g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);

describe('the API key', () => {
  it('goes in the header x-sup-api-key, and nowhere else', () =>
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

  it('is not sent to where a redirect leads', () =>
    withService(
      (_request, index) => (index === 0 ? { status: 302, headers: { location: '/v1/elsewhere' } } : spoken()),
      async (client, server) => {
        const error = await rejection(client.call(createSpeech, speech));
        assert.deepEqual([error.code, error.status], ['bad-reply', 302]);
        assert.equal(server.requests.length, 1);
      },
    ));

  it('can not be seen in a client that is printed', async () => {
    const client = createClient({ url: 'http://127.0.0.1:9', apiKey: KEY });
    assert.ok(!printed(client).includes(KEY));
    await client.close();
  });

  const awkward = String.raw`sk"/\<&>%41key`;
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
      'in a message as JSON escapes it',
      awkward,
      () => ({ status: 400, body: { message: `key ${awkward}` } }),
    ],
    [
      'in a message as codes',
      KEY,
      () => ({ status: 400, body: Buffer.from(`{"message":"key ${escaped(KEY)}"}`) }),
    ],
    ['at the end of a long message', KEY, () => ({ status: 400, body: { message: 'x'.repeat(290) + KEY } })],
    ['in other letter case', KEY, () => ({ status: 400, body: { message: `KEY ${KEY.toUpperCase()}` } })],
    [
      'on a page',
      KEY,
      () => ({ status: 502, headers: { 'content-type': 'text/html' }, body: Buffer.from(KEY) }),
    ],
    [
      'in the type of its reply',
      KEY,
      () => ({ headers: { 'content-type': `text/${KEY}` }, body: Buffer.from('x') }),
    ],
    ['in a reply of the wrong shape', KEY, () => ({ body: { items: KEY } })],
    ['as the name of a voice without id', KEY, () => ({ body: { items: [{ name: KEY, [KEY]: 1 }] } })],
    ['in half a JSON reply', KEY, () => ({ body: Buffer.from(`{"items": "${KEY}"`) })],
  ];
  for (const [where, apiKey, script] of echoes) {
    it(`is in no error when the service repeats it ${where}`, () =>
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
    it(`is in no error when the service fails: ${fault}`, () =>
      withFault(fault as FaultName, ({ url }) =>
        withClient({ url, attempts: 1 }, async (client) => {
          assert.ok(!printed(await rejection(client.call(createSpeech, speech))).includes(KEY));
        }),
      ));
  }
});

/** The stages of a call at which it may be stopped, each with a service that holds it there. */
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
  'waiting out a 429': { script: () => refused(429, { 'retry-after': '20' }) },
  'waiting for an answer': { script: () => new Promise(() => {}) },
};

const patient = {
  firstByteTimeout: 30_000,
  idleTimeout: 30_000,
  totalTimeout: 120_000,
  connectTimeout: 30_000,
};

/** Stops a call at some stage, by its signal or by closing the client; nothing may be left then. */
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
      it(`is stopped by ${by} while it is ${stage}, and leaves nothing`, () =>
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
      it(`is stopped by ${by} in the midst of: ${fault}, and leaves nothing`, () =>
        withFault(fault, ({ url }) =>
          withClient({ url, ...patient }, async (client) => {
            assert.equal((await stopped(client, by)).code, 'aborted');
          }),
        ));
    }

    it(`is stopped by ${by} in the midst of a long text, and leaves nothing`, async () => {
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

  it('waits for one of the `connections` to be free', () => {
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

  it('that is not done in time ends as timed-out, also while its connection is still being made', () =>
    withFault('TLS handshake without an answer', ({ url }) =>
      withClient({ url, ...patient, totalTimeout: 100 }, async (client) => {
        assert.equal((await rejection(client.call(getCredits, {}))).code, 'timed-out');
      }),
    ));

  it('may share its signal with any number of others, without a warning of the runtime', () =>
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
  it('fails every later call as aborted, and sends nothing', () =>
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

  it('makes no connection any more, also right after calls that were given up', () => {
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

  it('may be closed again', () =>
    withService(
      () => ({ body: { balance: 1 } }),
      async (client) => {
        await client.call(getCredits, {});
        await Promise.all([client.close(), client.close()]);
      },
    ));
});
