import assert from 'node:assert/strict';
import process from 'node:process';
import { z } from '@herald-speech/client';
import { type FlowNode, logIn, type NodeRed, startNodeRed } from '../../../support/node-red/node-red.js';
import { announcing } from '../../../support/net/announced-wyoming.js';
import { useNodeRed } from '../../../support/node-red/shared-node-red.js';
import { startTestService, type TestService } from '../../../support/service/service.js';
import { type Script, type Seen, withServer } from '../../../support/net/scripted-server.js';
import { ask, failureOf } from '../asking.js';
import { password, settingsWith } from '../users.js';

const KEY = 'sk-Nobody/may+see=this';

const report = z.object({
  balance: z.unknown().optional(),
  voices: z.number(),
  latencyMs: z.number(),
  spoken: z.boolean(),
  features: z.object({
    speed: z.boolean(),
    styles: z.boolean(),
    instructions: z.boolean(),
    customVoices: z.boolean(),
    formats: z.array(z.string()),
    maxTextLength: z.number(),
  }),
  examined: z
    .object({
      address: z.string(),
      listsVoices: z.boolean(),
      isKeyChecked: z.boolean(),
      model: z.string(),
      models: z.array(z.string()),
      isModelListed: z.boolean(),
    })
    .optional(),
  voice: z.unknown().optional(),
});

const listed = z.object({
  voices: z.array(z.object({ voice_id: z.string(), own: z.boolean() })),
  more: z.boolean(),
});

/** The local service as other programs see it. */
describe('the dialog of an account of any service', () => {
  const nodeRed = useNodeRed();
  let service: TestService;
  before(async () => {
    service = await startTestService({ wyoming: { host: '127.0.0.1', port: 0, account: 'local' } });
  });
  after(() => service.close());

  const openai = () => ({
    typed: { service: 'openai', url: `${service.url}/v1`, apiKey: service.key, language: 'en' },
  });
  const wyoming = () => ({
    typed: { service: 'wyoming', address: service.wyomingUrl ?? '', language: 'en' },
  });

  it('tests a Wyoming server with a spoken word, and reports its voices, latency and features', async () => {
    const { json } = await ask(nodeRed().url, 'test', wyoming());
    const { voices, latencyMs, spoken, features, balance, voice } = report.parse(json);
    assert.deepEqual([spoken, balance, voice], [true, undefined, undefined]);
    assert.ok(voices > 0 && latencyMs >= 0);
    assert.deepEqual([features.speed, features.styles, features.customVoices], [false, false, false]);
    assert.deepEqual(features.formats, ['wav']);
  });

  it('tests an OpenAI-compatible service without speech, which may cost', async () => {
    const { json } = await ask(nodeRed().url, 'test', openai());
    const { voices, spoken, features, balance, voice } = report.parse(json);
    assert.deepEqual([spoken, balance, voice], [false, undefined, undefined]);
    assert.ok(voices > 0);
    assert.deepEqual([features.speed, features.styles, features.customVoices], [true, false, false]);
    assert.equal(features.instructions, true);
    assert.equal(features.maxTextLength, 4096);
  });

  it('reports whether an OpenAI-compatible service confirms address, key and model', async () => {
    const { examined } = report.parse((await ask(nodeRed().url, 'test', openai())).json);
    assert.deepEqual(
      { ...examined, models: [] },
      {
        address: 'confirmed',
        listsVoices: true,
        isKeyChecked: true,
        model: 'tts-1',
        models: [],
        isModelListed: true,
      },
    );
  });

  it('lists the models of the service if the one of the account is not among them', async () => {
    const { typed: values } = openai();
    const target = { typed: { ...values, model: 'kokoro' } };
    const { examined } = report.parse((await ask(nodeRed().url, 'test', target)).json);
    assert.equal(examined?.isModelListed, false);
    assert.ok(examined.models.length > 5 && examined.models.includes('tts-1-hd'), examined.models.join(', '));
  });

  it('does not confirm the address of Node-RED itself', async () => {
    const typed = { service: 'openai', url: nodeRed().url, apiKey: '', language: 'en' };
    const { examined } = report.parse((await ask(nodeRed().url, 'test', { typed })).json);
    assert.deepEqual([examined?.address, examined?.listsVoices], ['page', false]);
  });

  it('names the field of a Wyoming server that does not answer', async () => {
    const typed = { service: 'wyoming', address: 'tcp://127.0.0.1:9' };
    const { code, message } = failureOf(await ask(nodeRed().url, 'test', { typed }));
    assert.equal(code, 'no-connection');
    assert.match(message, /^Address: the connection was refused/);
  });

  for (const [name, target] of Object.entries({ openai, wyoming })) {
    it(`lists the voices of the kind ${name}, without asking for custom voices`, async () => {
      const { voices } = listed.parse((await ask(nodeRed().url, 'voices', target())).json);
      assert.ok(voices.length > 0);
      assert.ok(voices.every(({ own }) => !own));
    });

    it(`finds one voice of the kind ${name}, and none for an unknown id`, async () => {
      const { voices } = listed.parse((await ask(nodeRed().url, 'voices', target())).json);
      const { voice_id } = voices[0] ?? {};
      const found = await ask(nodeRed().url, 'voices', { ...target(), voice_id });
      assert.equal(listed.parse(found.json).voices[0]?.voice_id, voice_id);
      const none = await ask(nodeRed().url, 'voices', { ...target(), voice_id: 'nobody' });
      assert.deepEqual(listed.parse(none.json).voices, []);
    });

    it(`speaks “Try it” with MP3 of the kind ${name}`, async () => {
      const request = { text: 'Hello.', format: 'mp3' };
      const { json } = await ask(nodeRed().url, 'speak', { ...target(), request });
      assert.equal(json['mime'], 'audio/mpeg', JSON.stringify(json).slice(0, 300));
    });
  }

  it('lists the Wyoming servers of the network with addresses for the dialog', async () => {
    const name = `Piper ${process.pid}`;
    const reply = await announcing([32_211], name, () => fetch(`${nodeRed().url}herald/wyoming-servers`));
    const { servers } = z
      .object({ servers: z.array(z.object({ name: z.string(), address: z.string() })) })
      .parse(await reply.json());
    const own = servers.find((server) => server.name === `${name} 32211`);
    assert.match(own?.address ?? '', /^tcp:\/\/[\d.]+:32211$/);
  }).timeout(20_000);
});

const users = {
  admin: '*',
  writer: ['herald.read', 'herald.write'],
  author: ['herald.read', 'herald.write', 'flows.write'],
};

/** A server without keys that lists a voice. */
const server: Script = ({ path }) =>
  path === '/v1/audio/voices' ? { body: { voices: ['anna'] } } : { status: 404, body: {} };

const account = (url: string, more: object = {}): FlowNode => ({
  id: 'account',
  type: 'herald-account',
  service: 'openai',
  url,
  language: 'en',
  ...more,
});

describe('the address of an OpenAI-compatible account in its dialog', () => {
  let nodeRed: NodeRed;
  const tokens = new Map<string, string>();
  before(async () => {
    const settings = settingsWith(users);
    nodeRed = await startNodeRed([], { settings, user: { username: 'admin', password } });
    for (const username of Object.keys(users))
      tokens.set(username, await logIn(nodeRed.url, { username, password }));
  });
  after(() => nodeRed?.stop());

  const as = (user: string, body: object) => ask(nodeRed.url, 'voices', body, tokens.get(user));
  const typed = (url: string, more: object = {}) => ({
    account: 'account',
    typed: { service: 'openai', url, apiKey: '', language: 'en', ...more },
  });
  const keyOf = ({ headers }: Seen) => headers.authorization;

  it('is open without a key only to a user who may write flows, unless it is deployed', () =>
    withServer(server, async ({ url, requests }) => {
      await nodeRed.deploy([]);
      assert.equal((await as('writer', typed(url))).status, 401);
      assert.deepEqual(requests, []);
      assert.equal((await as('author', typed(url))).status, 200);
      assert.equal(requests.length, 1);
      await nodeRed.deploy([account(url)]);
      assert.equal((await as('writer', typed(url))).status, 200);
      assert.ok(requests.every((request) => keyOf(request) === undefined));
    }));

  it('never gets the stored key if it is not the deployed one', () =>
    withServer(server, async ({ url }) =>
      withServer(server, async (thief) => {
        await nodeRed.deploy([account(url, { credentials: { apiKey: KEY } })]);
        const { code, message } = failureOf(await as('author', typed(thief.url)));
        assert.equal(code, 'not-configured');
        assert.match(message, /Base URL changed/);
        assert.deepEqual(thief.requests, []);
      }),
    ));

  it('gets the stored key with another model', () =>
    withServer(server, async ({ url, requests }) => {
      await nodeRed.deploy([account(url, { credentials: { apiKey: KEY } })]);
      const { json } = await as('writer', typed(url, { model: 'kokoro' }));
      assert.deepEqual(
        listed.parse(json).voices.map(({ voice_id }) => voice_id),
        ['anna'],
      );
      assert.deepEqual(requests.map(keyOf), [`Bearer ${KEY}`]);
    }));
});
