import assert from 'node:assert/strict';
import http from 'node:http';
import { operations, parseWav } from '@herald-speech/client';
import { type TestService, withLedger } from '../../support/service/service.js';
import { hello, useMeteredService } from './metered-service.js';

/** docs/interface.md#credits */
describe('the service with metered accounts', () => {
  const { keys, nameOf, service, whileStopped, send, speak } = useMeteredService();

  const as = (key: string) => ({ 'x-sup-api-key': key });
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
  /** Stops the service, which waits until all charges are settled, and returns the credits of an account. */
  const creditsAtTheEnd = (account: 'pro') =>
    whileStopped((folder) =>
      withLedger(folder, ({ accounts }) => accounts.named(nameOf(account)).credits ?? 0),
    );
  const isNear = (actual: number, expected: number) =>
    assert.ok(Math.abs(actual - expected) < 1e-5, `${actual}, not ${expected}`);

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
    const { trailers } = await stream(service(), keys.pro, hello);
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
    const before = await minutesOf(service().key);
    const length = lengthOf(await speak(service().key));
    assert.equal(await balanceOf(service().key), null);
    isNear((await minutesOf(service().key)) - before, length / 60);
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
    const broken = await stream(service(), keys.poor, body);
    assert.equal(broken.isWhole, false);
    const { seconds } = parseWav(broken.body);
    assert.ok(seconds > 0 && seconds <= 3, `${seconds} s`);
    assert.ok(Math.abs(((await balanceOf(keys.poor)) ?? 0) - (3 - seconds)) < 0.001);
    isNear(await minutesOf(keys.poor), (3 - ((await balanceOf(keys.poor)) ?? 0)) / 60);
  });

  it('charges only a part of a stream if the caller hangs up', async () => {
    const body = { ...hello, text: 'One two three four five. '.repeat(12).trim() };
    const whole = await stream(service(), service().key, body);
    const cut = await stream(service(), keys.pro, body, { hangUp: true });
    assert.equal(cut.isWhole, false);
    const left = await creditsAtTheEnd('pro');
    const taken = 100 - left;
    assert.ok(taken > 0 && taken < Number(whole.trailers['x-audio-length']), `${taken} s`);
  });

  it('charges nothing if the caller hangs up before the reply', async () => {
    const controller = new AbortController();
    const headers = { ...as(keys.pro), 'content-type': 'application/json' };
    const body = JSON.stringify({ ...hello, text: '9'.repeat(300) });
    const init = { method: 'POST', headers, body, signal: controller.signal };
    const call = fetch(`${service().url}/v1/text-to-speech/rms`, init);
    while ((await fetch(`${service().url}/healthz`)).status !== 200);
    controller.abort();
    await assert.rejects(call);
    const left = await creditsAtTheEnd('pro');
    assert.equal(left, 100);
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
