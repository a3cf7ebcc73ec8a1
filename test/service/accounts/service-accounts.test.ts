import assert from 'node:assert/strict';
import { operations } from '@herald-speech/client';
import { toneFile, withLedger } from '../../support/service/service.js';
import { hello, useMeteredService } from './metered-service.js';

/** docs/interface.md#limits */
describe('the accounts of the service', () => {
  const { keys, nameOf, service, whileStopped, send, speak } = useMeteredService();

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
        assert.equal((await service().send('GET', '/v1/credits')).status, 200);
        assert.equal((await fetch(`${service().url}/healthz`)).status, 200);
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
    await whileStopped((folder) =>
      withLedger(folder, ({ accounts, keys: all }) => {
        const { id } = accounts.named(nameOf('pro'));
        for (const key of all.list(id)) all.revoke(id, key.id);
      }),
    );
    assert.equal((await send(keys.pro, 'GET', '/v1/credits')).status, 401);
  });
});
