import assert from 'node:assert/strict';
import http from 'node:http';
import { operations } from '@herald-speech/client';
import {
  openAccount,
  startTestService,
  type TestService,
  toneFile,
  withLedger,
} from '../../support/service.js';
import { useDataFolder } from '../store/support.js';

const hello = { text: 'Hello there. How are you today?', language: 'en' };

/** docs/interface.md#credits, docs/interface.md#limits */
describe('the service with metered accounts', function () {
  const data = useDataFolder();
  let service: TestService;
  const keys = { pro: '', poor: '', free: '', starter: '' };
  beforeEach(async () => {
    await withLedger(data.folder(), (ledger) => {
      keys.pro = openAccount(ledger, 'pro', 'pro', 100);
      keys.poor = openAccount(ledger, 'poor', 'pro', 3);
      keys.free = openAccount(ledger, 'free', 'free', 100);
      keys.starter = openAccount(ledger, 'starter', 'starter');
    });
    service = await startTestService({ data: data.folder(), speech: { size: 2 } });
  });
  afterEach(async () => service.close());

  const as = (key: string) => ({ 'x-sup-api-key': key });
  const send = async (key: string, method: string, where: string, body?: object) =>
    service.send(method, where, body, as(key));
  const speak = async (key: string, body: object = {}, voice = 'slt') =>
    send(key, 'POST', `/v1/text-to-speech/${voice}`, { ...hello, ...body });
  const balanceOf = async (key: string) => {
    const reply = await send(key, 'GET', '/v1/credits');
    return operations.getCredits.response.parse(await reply.json()).balance;
  };
  const lengthOf = (reply: Response) => Number(reply.headers.get('x-audio-length'));
  const usedBy = async (key: string) => {
    const day = (time: number) => new Date(time).toISOString().slice(0, 10);
    const query = `start_date=${day(Date.now() - 86_400_000)}&end_date=${day(Date.now())}`;
    const reply = await send(key, 'GET', `/v1/voice-usage?${query}`);
    return operations.getVoiceUsage.response.parse(await reply.json()).usages;
  };
  const minutesOf = async (key: string) =>
    (await usedBy(key)).reduce((sum, { total_minutes_used }) => sum + total_minutes_used, 0);
  const isNear = (actual: number, expected: number) =>
    assert.ok(Math.abs(actual - expected) < 1e-5, `${actual}, not ${expected}`);

  describe('credits', () => {
    it('takes and records the seconds in X-Audio-Length', async () => {
      const length = lengthOf(await speak(keys.pro));
      isNear((await balanceOf(keys.pro)) ?? 0, 100 - length);
      isNear(await minutesOf(keys.pro), length / 60);
      const [use] = await usedBy(keys.pro);
      const { voice_id, name, style, language, model } = use ?? assert.fail('the report is empty');
      assert.deepEqual(
        [voice_id, name, style, language, model],
        ['slt', 'Selma', 'neutral', 'en', 'main_speech_1'],
      );
    });

    it('takes the seconds in the trailer of a stream', async () => {
      const { trailers } = await stream(service, keys.pro, hello);
      isNear((await balanceOf(keys.pro)) ?? 0, 100 - Number(trailers['x-audio-length']));
    });

    it('takes nothing for a prediction or a failed request', async () => {
      assert.equal((await send(keys.pro, 'POST', '/v1/predict-duration/slt', hello)).status, 200);
      assert.equal((await speak(keys.pro, { text: '你好' })).status, 400);
      assert.equal((await speak(keys.pro, {}, 'nobody')).status, 404);
      assert.equal(await balanceOf(keys.pro), 100);
      assert.deepEqual(await usedBy(keys.pro), []);
    });

    it('records the usage of the local account, but takes no credits', async () => {
      const length = lengthOf(await speak(service.key));
      assert.equal(await balanceOf(service.key), null);
      isNear(await minutesOf(service.key), length / 60);
    });

    it('replies 402 and takes nothing if the balance is zero or too small for the text', async () => {
      for (const key of [keys.starter, keys.poor]) {
        const before = await balanceOf(key);
        const reply = await speak(key, { text: 'word '.repeat(50) });
        assert.equal(reply.status, 402);
        const body: unknown = await reply.json();
        assert.ok(typeof body === 'object' && body !== null && 'message' in body);
        assert.match(JSON.stringify(body.message), /"error":"Payment Required"/);
        assert.equal(await balanceOf(key), before);
        assert.deepEqual(await usedBy(key), []);
      }
    });

    it('charges parallel requests exactly their audio, and never more than the balance', async () => {
      const replies = await Promise.all(
        Array.from({ length: 12 }, async () => speak(keys.poor, { text: 'Hello.' })),
      );
      const spoken = replies.filter(({ status }) => status === 200);
      assert.ok(replies.every(({ status }) => status === 200 || status === 402));
      assert.ok(spoken.length > 0 && spoken.length < 12);
      const charged = spoken.reduce((sum, reply) => sum + lengthOf(reply), 0);
      assert.ok(charged <= 3, `${charged} s`);
      isNear((await balanceOf(keys.poor)) ?? 0, 3 - charged);
      isNear(await minutesOf(keys.poor), charged / 60);
    });

    it('breaks a stream when the credits end, and charges the sent audio', async () => {
      const body = { ...hello, text: 'One two three. '.repeat(20).trim() };
      const broken = await stream(service, keys.poor, body);
      assert.equal(broken.isWhole, false);
      const seconds = (broken.body.length - 44) / 2 / 16_000;
      assert.ok(seconds > 0 && seconds <= 3, `${seconds} s`);
      assert.ok(Math.abs(((await balanceOf(keys.poor)) ?? 0) - (3 - seconds)) < 0.001);
      isNear(await minutesOf(keys.poor), (3 - ((await balanceOf(keys.poor)) ?? 0)) / 60);
    });

    it('charges only a part of a stream if the caller hangs up', async () => {
      const body = { ...hello, text: 'One two three four five. '.repeat(12).trim() };
      const whole = await stream(service, service.key, body);
      const cut = await stream(service, keys.pro, body, { hangUp: true });
      assert.equal(cut.isWhole, false);
      await service.stop(); // Waits until the charge is settled.
      const left = await withLedger(data.folder(), ({ accounts }) => accounts.named('pro').credits ?? 0);
      const taken = 100 - left;
      assert.ok(taken > 0 && taken < Number(whole.trailers['x-audio-length']), `${taken} s`);
    });

    it('charges nothing if the caller hangs up before the reply', async () => {
      const controller = new AbortController();
      const headers = { ...as(keys.pro), 'content-type': 'application/json' };
      const body = JSON.stringify({ ...hello, text: '9'.repeat(300) });
      const init = { method: 'POST', headers, body, signal: controller.signal };
      const call = fetch(`${service.url}/v1/text-to-speech/rms`, init);
      while ((await fetch(`${service.url}/healthz`)).status !== 200);
      controller.abort();
      await assert.rejects(call);
      await service.stop();
      const left = await withLedger(data.folder(), ({ accounts }) => accounts.named('pro').credits);
      assert.equal(left, 100);
    });
  });

  describe('rate limits', () => {
    for (const [tier, limit] of Object.entries({ free: 20, starter: 20 })) {
      it(`accepts ${limit} requests per minute on the tier ${tier}, then replies 429 with Retry-After`, async () => {
        const key = tier === 'free' ? keys.free : keys.starter;
        const statuses = new Array<number>();
        for (let sent = 0; sent < limit; sent++) {
          statuses.push((await send(key, 'GET', sent % 2 ? '/v1/voices' : '/v1/nothing')).status);
        }
        assert.ok(!statuses.includes(429));
        const refused = await send(key, 'GET', '/v1/credits');
        assert.equal(refused.status, 429);
        assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/);
        assert.match(await refused.text(), /"error":"Too Many Requests"/);
      });
    }

    it('counts accounts separately, and does not limit the local account and the health check', async () => {
      for (let sent = 0; sent < 21; sent++) await send(keys.free, 'GET', '/v1/credits');
      assert.equal((await send(keys.starter, 'GET', '/v1/credits')).status, 200);
      for (let sent = 0; sent < 70; sent++) {
        assert.equal((await service.send('GET', '/v1/credits')).status, 200);
        assert.equal((await fetch(`${service.url}/healthz`)).status, 200);
      }
    });
  });

  describe('custom voices', () => {
    const upload = async (key: string) => {
      const form = new FormData();
      form.append('name', 'Me');
      form.append('files', new Blob([toneFile(120, 2)]), 'me.wav');
      return send(key, 'POST', '/v1/custom-voices/cloned-voice', form);
    };

    it('replies 403 for a voice of another account, and 404 for an unknown voice', async () => {
      const reply = await upload(keys.pro);
      const { voice_id } = operations.createClonedVoice.response.parse(await reply.json());
      const calls: Array<[string, string, object?]> = [
        ['POST', '/v1/text-to-speech/ID', hello],
        ['POST', '/v1/text-to-speech/ID/stream', hello],
        ['POST', '/v1/predict-duration/ID', hello],
        ['GET', '/v1/custom-voices/ID'],
        ['PATCH', '/v1/custom-voices/ID', { name: 'Mine' }],
        ['DELETE', '/v1/custom-voices/ID'],
      ];
      for (const [method, where, body] of calls) {
        const other = await send(keys.poor, method, where.replace('ID', voice_id), body);
        assert.equal(other.status, 403, where);
        assert.match(await other.text(), /"error":"Forbidden"/);
        const unknown = await send(keys.poor, method, where.replace('ID', 'clone-nobody'), body);
        assert.equal(unknown.status, 404, where);
      }
      assert.equal((await speak(keys.pro, {}, voice_id)).status, 200);
      const list = async (key: string) =>
        operations.listCustomVoices.response.parse(
          await (await send(key, 'GET', '/v1/custom-voices')).json(),
        );
      assert.equal((await list(keys.pro)).total, 1);
      assert.equal((await list(keys.poor)).total, 0);
    });

    it('replies 403 to a clone request on the Free tier', async () => {
      const reply = await upload(keys.free);
      assert.equal(reply.status, 403);
      assert.match(await reply.text(), /tier \\"free\\"/);
    });
  });

  describe('usage', () => {
    it('reports minutes by bucket and selected column', async () => {
      await speak(keys.pro);
      const times = `start_time=${new Date(Date.now() - 3_600_000).toISOString()}&end_time=${new Date(Date.now() + 3_600_000).toISOString()}`;
      const query = `${times}&bucket_width=hour&breakdown_type=model&breakdown_type=api_key`;
      const reply = await send(keys.pro, 'GET', `/v1/usage?${query}`);
      const { data } = operations.getUsage.response.parse(await reply.json());
      const results = data.flatMap((bucket) => bucket.results);
      assert.equal(results.length, 1);
      assert.equal(results[0]?.model, 'main_speech_1');
      assert.match(results[0]?.api_key ?? '', /^key-/);
    });

    for (const query of [
      'usage',
      'usage?start_time=2026-01-01T00:00:00Z&end_time=2025-01-01T00:00:00Z',
      'usage?start_time=yesterday&end_time=2025-01-01T00:00:00Z',
      'usage?start_time=2026-01-01T00:00:00Z&end_time=2026-01-02T00:00:00Z&page_size=21',
      'usage?start_time=2026-01-01T00:00:00Z&end_time=2026-01-02T00:00:00Z&next_page_token=x',
      'voice-usage?start_date=2026-01-01&end_date=2026-02-01',
      'voice-usage?start_date=2026-02-30&end_date=2026-02-01',
    ]) {
      it(`replies 400 to ${query}`, async () => {
        const reply = await send(keys.pro, 'GET', `/v1/${query}`);
        assert.equal(reply.status, 400);
        assert.match(await reply.text(), /"message":"/);
      });
    }
  });

  it('rejects a key that was revoked while the service was stopped', async () => {
    assert.equal((await send(keys.pro, 'GET', '/v1/credits')).status, 200);
    await service.stop();
    await withLedger(data.folder(), ({ accounts, keys: all }) => {
      const { id } = accounts.named('pro');
      for (const key of all.list(id)) all.revoke(id, key.id);
    });
    service = await startTestService({ data: data.folder() });
    assert.equal((await send(keys.pro, 'GET', '/v1/credits')).status, 401);
  });
});

interface Streamed {
  body: Buffer;
  trailers: NodeJS.Dict<string>;
  isWhole: boolean;
}

/** Reads a stream with its trailers, which `fetch` cannot read. With `hangUp`, closes the connection after the first piece. */
function stream(service: TestService, key: string, body: object, { hangUp = false } = {}): Promise<Streamed> {
  return new Promise((resolve, reject) => {
    const headers = { 'x-sup-api-key': key, 'content-type': 'application/json' };
    const where = `${service.url}/v1/text-to-speech/slt/stream`;
    const request = http.request(where, { method: 'POST', headers });
    request.once('error', reject).once('response', (reply) => {
      assert.equal(reply.statusCode, 200);
      const pieces: Buffer[] = [];
      reply.on('data', (piece: Buffer) => {
        pieces.push(piece);
        if (hangUp) request.destroy();
      });
      reply.on('error', () => undefined);
      reply.once('close', () => {
        const { trailers, complete: isWhole } = reply;
        resolve({ body: Buffer.concat(pieces), trailers, isWhole });
      });
    });
    request.end(JSON.stringify(body));
  });
}
