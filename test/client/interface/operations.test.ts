import assert from 'node:assert/strict';
import type { Client } from '../../../client/api/client.js';
import { type OperationName, operations } from '../../../client/interface/operations.js';
import { wavOf } from '../../support/audio-files.js';
import { withService } from '../../support/service/client-for.js';
import { type Scripted, type Seen, spoken } from '../../support/net/scripted-server.js';

const voice = {
  voice_id: 'v1',
  name: 'Anna',
  age: 'middle-aged',
  gender: 'female',
  use_case: 'narration',
  use_cases: ['narration', 'meme'],
  language: ['en', 'ko'],
  styles: ['neutral'],
  models: ['main_speech_1'],
};
const custom = { voice_id: 'c1', name: 'Mine', description: null };
const page = (item: unknown): Scripted => ({ body: { items: [item], total: 1 } });
const speech = {
  voice_id: 'a/b?c',
  text: 'Hello',
  language: 'en',
  style: 'happy',
  model: 'main_speech_2',
  output_format: 'mp3',
  voice_settings: { pitch_shift: -24, speed: 0.5 },
} as const;
const { voice_id: _inPath, ...speechBody } = speech;
const extras = { include_phonemes: false, normalized_text: 'Hello there' };

interface Row {
  run: (client: Client) => Promise<unknown>;
  reply: Scripted;
  /** `METHOD path?query` of the expected request. */
  line: string;
  json?: unknown;
}

/** A call and its expected request for each operation (docs/interface.md#operations). */
const rows: Record<OperationName, Row> = {
  createSpeech: {
    run: (client) => client.call(operations.createSpeech, { ...speech, ...extras }),
    reply: spoken(),
    line: 'POST /v1/text-to-speech/a%2Fb%3Fc',
    json: { ...speechBody, ...extras },
  },
  streamSpeech: {
    run: (client) => client.call(operations.streamSpeech, { ...speech, ...extras }),
    reply: spoken(),
    line: 'POST /v1/text-to-speech/a%2Fb%3Fc/stream',
    json: { ...speechBody, ...extras },
  },
  predictDuration: {
    run: (client) => client.call(operations.predictDuration, speech),
    reply: { body: { duration: 1.5 } },
    line: 'POST /v1/predict-duration/a%2Fb%3Fc',
    json: speechBody,
  },
  searchVoices: {
    run: (client) =>
      client.call(operations.searchVoices, {
        name: 'an na',
        description: 'warm',
        language: 'ko,en',
        gender: 'female',
        age: 'elder',
        use_case: 'meme',
        use_cases: 'game,meme',
        style: 'happy;sad',
        model: 'some_model_9',
        page_size: 10,
        next_page_token: 't&1',
      }),
    reply: page(voice),
    line:
      'GET /v1/voices/search?page_size=10&next_page_token=t%261&name=an+na&description=warm&language=ko%2Cen&gender=female&age=elder&use_case=meme' +
      '&use_cases=game%2Cmeme&style=happy%3Bsad&model=some_model_9',
  },
  listVoices: {
    run: (client) => client.call(operations.listVoices, { page_size: 100, next_page_token: 't1' }),
    reply: page(voice),
    line: 'GET /v1/voices?page_size=100&next_page_token=t1',
  },
  getVoice: {
    run: (client) => client.call(operations.getVoice, { voice_id: 'v1' }),
    reply: { body: voice },
    line: 'GET /v1/voices/v1',
  },
  createClonedVoice: {
    run: (client) => client.call(operations.createClonedVoice, { files: wavOf(), name: 'Mine' }),
    reply: { body: { voice_id: 'c1' } },
    line: 'POST /v1/custom-voices/cloned-voice',
  },
  listCustomVoices: {
    run: (client) => client.call(operations.listCustomVoices, { page_size: 20, next_page_token: '2' }),
    reply: page(custom),
    line: 'GET /v1/custom-voices?page_size=20&next_page_token=2',
  },
  searchCustomVoices: {
    run: (client) =>
      client.call(operations.searchCustomVoices, { name: 'a', description: 'b', style: 'neutral' }),
    reply: page(custom),
    line: 'GET /v1/custom-voices/search?name=a&description=b&style=neutral',
  },
  getCustomVoice: {
    run: (client) => client.call(operations.getCustomVoice, { voice_id: 'c1' }),
    reply: { body: custom },
    line: 'GET /v1/custom-voices/c1',
  },
  editCustomVoice: {
    run: (client) =>
      client.call(operations.editCustomVoice, { voice_id: 'c1', name: 'New', description: '' }),
    reply: { body: custom },
    line: 'PATCH /v1/custom-voices/c1',
    json: { name: 'New', description: '' },
  },
  deleteCustomVoice: {
    run: (client) => client.call(operations.deleteCustomVoice, { voice_id: 'c1' }),
    reply: { status: 204 },
    line: 'DELETE /v1/custom-voices/c1',
  },
  getCredits: {
    run: (client) => client.call(operations.getCredits, {}),
    reply: { body: { balance: null } },
    line: 'GET /v1/credits',
  },
  getUsage: {
    run: (client) =>
      client.call(operations.getUsage, {
        start_time: '2026-01-01T00:00:00Z',
        end_time: '2026-01-02T00:00:00+09:00',
        bucket_width: 'hour',
        breakdown_type: ['voice_id', 'model'],
        page_size: 20,
        next_page_token: 't1',
      }),
    reply: { body: { data: [], next_page_token: null } },
    line:
      'GET /v1/usage?start_time=2026-01-01T00%3A00%3A00Z&end_time=2026-01-02T00%3A00%3A00%2B09%3A00' +
      '&bucket_width=hour&breakdown_type=voice_id&breakdown_type=model&page_size=20&next_page_token=t1',
  },
  getVoiceUsage: {
    run: (client) =>
      client.call(operations.getVoiceUsage, { start_date: '2026-01-01', end_date: '2026-01-30' }),
    reply: { body: { usages: [] } },
    line: 'GET /v1/voice-usage?start_date=2026-01-01&end_date=2026-01-30',
  },
};

const lineOf = ({ method, path, query }: Seen) =>
  `${method} ${path}${query.size > 0 ? `?${query.toString()}` : ''}`;

describe('operations', () => {
  for (const [name, { run, reply, line, json }] of Object.entries(rows)) {
    it(`send ${name} as ${line.split('?')[0]} with all fields`, () =>
      withService(
        () => reply,
        async (client, { requests }) => {
          await run(client);
          const [request] = requests;
          assert.ok(request !== undefined && requests.length === 1);
          assert.equal(lineOf(request), line);
          if (json !== undefined) {
            assert.equal(request.headers['content-type'], 'application/json');
            assert.deepEqual(request.json, json);
          } else if (name !== 'createClonedVoice') {
            assert.equal(request.body.length, 0);
          }
        },
      ));
  }

  it('send the sample, name and description of createClonedVoice as a form', () =>
    withService(
      () => ({ body: { voice_id: 'c1' } }),
      async (client, { requests }) => {
        const files = wavOf({ value: 7 });
        const name = 'Ännchen "von" Tharau';
        await client.call(operations.createClonedVoice, { files, name, description: 'mine' });
        const { headers, body = Buffer.alloc(0) } = requests[0] ?? {};
        const type = headers?.['content-type'] ?? '';
        const form = await new Response(new Uint8Array(body), {
          headers: { 'content-type': type },
        }).formData();
        const sample = form.get('files');
        assert.ok(sample instanceof File);
        assert.deepEqual(Buffer.from(await sample.arrayBuffer()), files);
        assert.deepEqual([sample.name, sample.type], ['sample.wav', 'audio/wav']);
        assert.deepEqual([form.get('name'), form.get('description')], [name, 'mine']);
        assert.equal(headers?.['content-length'], String(body.length));
      },
    ));

  const namesOf = (keep: (operation: (typeof operations)[OperationName]) => boolean) =>
    Object.values(operations)
      .filter(keep)
      .map(({ name }) => name);

  it('accept a custom voice without styles, also as null', () =>
    withService(
      () => page({ ...custom, styles: null }),
      async (client) => {
        const { items } = await client.call(operations.listCustomVoices, {});
        assert.deepEqual([items[0]?.voice_id, items[0]?.styles], ['c1', undefined]);
      },
    ));

  it('cost credits only if they are createSpeech or streamSpeech', () => {
    assert.deepEqual(
      namesOf(({ paid }) => paid),
      ['createSpeech', 'streamSpeech'],
    );
  });

  it('count against the clone rate limit only if they are createClonedVoice', () => {
    assert.deepEqual(
      namesOf(({ bucket }) => bucket === 'clone'),
      ['createClonedVoice'],
    );
  });

  it('are idempotent except createClonedVoice', () => {
    assert.deepEqual(
      namesOf(({ idempotent }) => !idempotent),
      ['createClonedVoice'],
    );
  });

  it('have their key as name', () => {
    for (const [name, operation] of Object.entries(operations)) assert.equal(operation.name, name);
  });
});
