import assert from 'node:assert/strict';
import http from 'node:http';
import { usedHeap } from '../support/heap.js';
import { startTestService, type TestService } from '../support/service/service.js';

const hello = { text: 'Hello.', language: 'en' };
const SPEECH = '/v1/text-to-speech/kal';

describe('the service under load', function () {
  let service: TestService;
  afterEach(async () => service.close());

  it('fills workers and queue from 100 simultaneous requests, and replies to the others with Retry-After', async () => {
    const [size, maxQueued] = [2, 10];
    service = await startTestService({ speech: { size, maxQueued } });
    const speak = async () => {
      const reply = await service.send('POST', SPEECH, hello);
      const { status, headers } = reply;
      return { status, headers, audio: Buffer.from(await reply.arrayBuffer()) };
    };
    const replies = await Promise.all(Array.from({ length: 100 }, speak));
    const [spoken = [], busy = []] = [200, 503].map((wanted) =>
      replies.filter(({ status }) => status === wanted),
    );
    assert.equal(spoken.length + busy.length, 100);
    assert.ok(spoken.length >= size + maxQueued, `${spoken.length} replies with speech`);
    for (const { audio } of spoken) assert.deepEqual(audio, spoken[0]?.audio);
    for (const { headers } of busy) {
      assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/);
    }
    const retried = await Promise.all(busy.slice(0, size + maxQueued).map(speak));
    assert.deepEqual(new Set(retried.map(({ status }) => status)), new Set(busy.length > 0 ? [200] : []));
  });

  it('sends the first sentence of a stream before it has generated the last', async () => {
    service = await startTestService({ speech: { size: 1, maxQueued: 0 } });
    const text = '987654321. '.repeat(27).trim();
    const isBusy = await new Promise<boolean>((resolve, reject) => {
      const headers = { 'x-sup-api-key': service.key, 'content-type': 'application/json' };
      const where = `${service.url}/v1/text-to-speech/rms/stream`;
      const request = http.request(where, { method: 'POST', headers }, (reply) => {
        reply.once('data', () => {
          const other = service.send('POST', '/v1/predict-duration/rms', hello);
          other.then(({ status }) => resolve(status === 503), reject);
        });
        reply.resume();
      });
      request.once('error', reject).end(JSON.stringify({ text, language: 'en' }));
    });
    assert.ok(isBusy, 'the only worker was free when the first audio arrived');
  });

  it('uses no more memory after a thousand requests', async function () {
    this.timeout(240_000);
    // A client must not use a connection that the service closes at the same time.
    service = await startTestService({ speech: { size: 1 }, timeouts: { keepAlive: 60_000 } });
    const round = async () => {
      for (let index = 0; index < 340; index++) {
        const kind = index % 34;
        const reply =
          kind === 0
            ? await service.send('POST', SPEECH, hello)
            : await service.send('GET', kind % 2 ? '/v1/credits' : `/v1/voices/${index}`);
        await reply.arrayBuffer();
      }
      return usedHeap();
    };
    await round();
    let [before, after] = [await round(), await round()];
    // A cache that fills once grows in one round, a leak in each.
    for (let more = 0; after - before >= 2_000_000 && more < 3; more += 1)
      [before, after] = [after, await round()];
    assert.ok(after - before < 2_000_000, `${after - before} bytes more`);
  });
});
