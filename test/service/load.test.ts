import assert from 'node:assert/strict';
import http from 'node:http';
import { usedHeap } from '../support/heap.js';
import { startTestService, type TestService } from '../support/service.js';

const hello = { text: 'Hello.', language: 'en' };
const SPEECH = '/v1/text-to-speech/slt';

describe('the service under load', function () {
  this.timeout(60_000);
  let service: TestService;
  afterEach(async () => service.close());

  it('200 requests for speech at once all get their speech, or a time to come back', async () => {
    service = await startTestService({ speech: { size: 2 } });
    const calls = Array.from({ length: 200 }, async () => service.send('POST', SPEECH, hello));
    const replies = await Promise.all(calls);
    const busy = replies.filter(({ status }) => status !== 200);
    assert.ok(busy.length < 200);
    for (const { status, headers } of busy) {
      assert.ok([429, 503].includes(status), String(status));
      assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/);
    }
    assert.equal((await service.send('POST', SPEECH, hello)).status, 200);
  });

  it('the first sentence of a stream is heard while the rest is still being made', async () => {
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
    assert.ok(isBusy, 'the only worker was free when the first sound came');
  });

  it('over a thousand requests leave the memory as it was', async () => {
    service = await startTestService({ speech: { size: 1 } });
    const round = async () => {
      for (let index = 0; index < 400; index++) {
        const kind = index % 20;
        const reply =
          kind === 0
            ? await service.send('POST', SPEECH, hello)
            : await service.send('GET', kind % 2 ? '/v1/credits' : `/v1/voices/${index}`);
        await reply.arrayBuffer();
      }
      return usedHeap();
    };
    await round();
    const before = await round();
    const after = await round();
    assert.ok(after - before < 2_000_000, `${after - before} bytes more`);
  });
});
