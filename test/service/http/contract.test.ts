import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createClient, inspectAudio, operations } from '@herald-speech/client';
import { Description } from '../../support/browser/described.js';
import { type Ending, endings, every, sample, upload } from './endings.js';
import {
  openAccount,
  startTestService,
  type TestService,
  toneFile,
  withLedger,
} from '../../support/service/service.js';

const { createClonedVoice } = operations;
const spoken = { voice_id: 'rms', text: 'Good morning. The coffee is ready.', language: 'en' };

describe('the client and the local service', () => {
  let service: TestService;
  let client: ReturnType<typeof createClient>;
  before(async () => {
    service = await startTestService();
    client = createClient({ url: service.url, apiKey: service.key });
  });
  after(async () => {
    await client.close();
    await service.close();
  });

  for (const output_format of ['wav', 'mp3'] as const) {
    for (const include_phonemes of [false, true]) {
      for (const operation of [operations.createSpeech, operations.streamSpeech]) {
        it(`exchange ${operation.name} as ${output_format}${include_phonemes ? ' with phonemes' : ''}`, async () => {
          const reply = await client.call(operation, { ...spoken, output_format, include_phonemes });
          assert.equal(inspectAudio(reply.audio).format, output_format);
          assert.equal((reply.phonemes?.symbols.length ?? 0) > 0, include_phonemes);
          const { duration } = await client.call(operations.predictDuration, spoken);
          assert.ok(Math.abs(reply.duration / duration - 1) < 0.05, `${duration}, not ${reply.duration}`);
        });
      }
    }
  }

  it('exchange a long text as chunks, and join the audio', async () => {
    const { duration, chunks } = await client.speak({ ...spoken, text: `${spoken.text} `.repeat(20) });
    assert.ok(chunks.length > 1);
    assert.ok(duration > 30, `${duration} s`);
  });

  it('list, find and read preset voices', async () => {
    assert.equal((await client.call(operations.listVoices, {})).items.length, 20);
    const found = await client.call(operations.searchVoices, { gender: 'male', description: 'flite' });
    assert.equal(found.items.length, 4);
    assert.equal((await client.call(operations.getVoice, { voice_id: 'awb' })).name, 'Angus');
  });

  it('create, list, edit, find, read and delete a custom voice', async () => {
    const files = toneFile(110, 2);
    const { voice_id } = await client.call(operations.createClonedVoice, { files, name: 'Me' });
    assert.equal((await client.call(operations.listCustomVoices, {})).total, 1);
    await client.call(operations.editCustomVoice, { voice_id, name: 'You' });
    assert.equal((await client.call(operations.searchCustomVoices, { name: 'you' })).total, 1);
    assert.equal((await client.call(operations.getCustomVoice, { voice_id })).name, 'You');
    await client.call(operations.deleteCustomVoice, { voice_id });
    assert.equal((await client.call(operations.listCustomVoices, {})).total, 0);
  });

  it('exchange a single page of usage without a token', async () => {
    const times = { start_time: '2026-01-01T00:00:00Z', end_time: '2026-01-03T00:00:00+09:00' };
    const page = await client.call(operations.getUsage, times);
    assert.deepEqual([page.total, 'next_page_token' in page], [2, false]);
  });

  it('exchange unlimited credits as null', async () => {
    assert.equal((await client.call(operations.getCredits, {})).balance, null);
  });

  it('exchange an error with its code and the message of the service', async () => {
    await assert.rejects(client.call(operations.getVoice, { voice_id: 'unknown' }), {
      code: 'not-found',
      service: 'voice_id "unknown": unknown voice. List the voices and use one of their identifiers',
    });
  });
});

describe('the replies and the OpenAPI description of the service', function () {
  let data: string;
  let service: TestService;
  let slow: TestService;
  let description: Description;
  const keys = { nobody: 'x', stranger: '', free: '', poor: '', busy: '' };
  const voices: Record<string, string> = {};
  before(async () => {
    data = await mkdtemp(path.join(os.tmpdir(), 'herald-contract-'));
    await withLedger(data, (ledger) => {
      keys.stranger = openAccount(ledger, 'stranger', 'unlimited');
      keys.free = openAccount(ledger, 'free', 'free', 100);
      keys.poor = openAccount(ledger, 'poor', 'pro');
      keys.busy = openAccount(ledger, 'busy', 'starter', 100);
    });
    service = await startTestService({ data });
    slow = await startTestService({ speech: { size: 1, timeLimit: 1, grace: 60_000 } });
    description = await Description.of(service.url);
    for (const voice of ['custom', 'spare']) voices[voice] = await clone();
    for (let sent = 0; sent < 20; sent++) await service.send('GET', '/v1/credits', undefined, as('busy'));
  });
  after(async () => {
    await service.close();
    await slow.close();
    await rm(data, { recursive: true });
  });

  const as = (caller: keyof typeof keys) => ({ 'x-sup-api-key': keys[caller] });
  const clone = async () => {
    const reply = await service.send('POST', createClonedVoice.path, upload(sample));
    return createClonedVoice.response.parse(await reply.json()).voice_id;
  };
  const send = async ({ operation, as: caller, request: { voice = '', query = '', body } }: Ending) => {
    const where = `${operation.path.replace('{voice_id}', voices[voice] ?? voice)}?${query}`;
    if (caller === 'in a hurry') return slow.send(operation.method, where, body);
    const headers = caller === 'owner' ? {} : as(caller);
    return service.send(operation.method, where, body, headers);
  };

  for (const each of endings) {
    it(`agree on ${each.operation.name} with status ${each.status} for ${each.how}`, async () => {
      const reply = await send(each);
      assert.equal(reply.status, each.status, await reply.clone().text());
      await description.check(each.operation, reply);
    });
  }

  it('agree on all described statuses, except failures of the service and the network', () => {
    for (const operation of every) {
      const seen = endings.filter((each) => each.operation === operation).map(({ status }) => status);
      const unseen = description.statusesOf(operation).filter((status) => !seen.includes(status));
      assert.deepEqual(
        unseen.filter((status) => ![408, 500, 503].includes(status)),
        [],
        operation.name,
      );
    }
  });

  it('agree on a failure of the service', async () => {
    const broken = await startTestService();
    await rm(path.join(broken.data, 'clones'), { recursive: true });
    const reply = await broken.send('POST', createClonedVoice.path, upload(sample));
    await broken.close();
    assert.equal(reply.status, 500);
    await description.check(createClonedVoice, reply);
  });

  describe('the check of a reply', () => {
    const wait = { 'retry-after': '1' };
    const named = { message: '', error: 'Too Many Requests', statusCode: 429, status_code: 429 };
    const replies: Record<string, Response> = {
      'an undescribed status': new Response('', { status: 418 }),
      'an undescribed type': new Response('{}', { headers: { 'content-type': 'text/plain' } }),
      'no type': new Response(undefined),
      'a body of another shape': Response.json({ balance: '1' }),
      'a missing header': Response.json({ status: 'error', message: named }, { status: 429 }),
      'a header of another shape': Response.json(
        { status: 'error', message: named },
        { status: 429, headers: { 'retry-after': 'soon' } },
      ),
      'an error of another shape': Response.json(
        { status: 'error', message: 'Too Many Requests' },
        { status: 429, headers: wait },
      ),
    };
    for (const [what, reply] of Object.entries(replies)) {
      it(`fails for ${what}`, async () =>
        assert.rejects(description.check(operations.getCredits, reply), { name: 'AssertionError' }));
    }
  });
});
