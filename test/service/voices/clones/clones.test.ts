import assert from 'node:assert/strict';
import { readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { operations } from '@herald-speech/client';
import { pitchRange } from '../../../../service/kit/audio/prosody.js';
import { medianPitch, trackPitch } from '../../../../service/kit/audio/pitch.js';
import {
  openAccount,
  samplesOf,
  startTestService,
  type TestService,
  withLedger,
} from '../../../support/service/service.js';
import { form, sample } from './clone-form.js';

/** docs/interface.md#custom-voices */
describe('the custom voices of the service', () => {
  let service: TestService;
  let key: string;
  const send = (method: string, where: string, body?: object) =>
    service.send(method, where, body, { 'x-sup-api-key': key });
  const upload = (body: FormData) => send('POST', '/v1/custom-voices/cloned-voice', body);
  async function clone(name: string, description?: string, pitch?: number): Promise<string> {
    const fields = { files: sample(pitch), name, ...(description !== undefined && { description }) };
    const reply = await upload(form(fields));
    assert.equal(reply.status, 200);
    return operations.createClonedVoice.response.parse(await reply.json()).voice_id;
  }
  const get = async (where: string) => {
    const reply = await send('GET', where);
    assert.equal(reply.status, 200);
    return operations.listCustomVoices.response.parse(await reply.json());
  };
  const speak = async (voice: string, body: object = {}) =>
    send('POST', `/v1/text-to-speech/${voice}`, {
      text: 'We were away a year ago.',
      language: 'en',
      ...body,
    });

  describe('that runs', () => {
    /** A key for each test: an account may create 10 clones a minute. */
    let keys: string[];
    before(async () => {
      const { stop, close, data } = await startTestService();
      await stop();
      keys = await withLedger(data, (ledger) =>
        Array.from({ length: 20 }, (_, index) => openAccount(ledger, `account ${index}`, 'unlimited')),
      );
      const running = await startTestService({ data });
      // `close` of the first service removes the data folder.
      service = { ...running, close: async () => (await running.close(), close()) };
    });
    beforeEach(() => {
      key = keys.pop() ?? assert.fail('too few accounts');
    });
    afterEach(async () => {
      for (const { voice_id } of (await get('/v1/custom-voices')).items)
        await send('DELETE', `/v1/custom-voices/${voice_id}`);
    });
    after(() => service.close());

    for (const pitch of [85, 210]) {
      it(`speaks within 2 semitones of a sample at ${pitch} Hz`, async () => {
        const reply = await speak(await clone('Me', undefined, pitch));
        const { samples, sampleRate } = samplesOf(new Uint8Array(await reply.arrayBuffer()));
        const spoken = medianPitch(trackPitch(samples, sampleRate)) ?? 0;
        assert.ok(Math.abs(12 * Math.log2(spoken / pitch)) < 2, `${spoken} Hz`);
      });
    }

    it('follows the rate and the pitch range of the sample', async () => {
      const story =
        'The train to the coast leaves from platform four in ten minutes. Please keep your bags with you, and mind the gap.';
      const cloneOf = async (voice_settings: object) => {
        const sample = await speak('slt', { text: story, voice_settings });
        const form_ = form({ files: Buffer.from(await sample.arrayBuffer()), name: 'Clone' });
        const { voice_id } = operations.createClonedVoice.response.parse(await (await upload(form_)).json());
        const reply = await speak(voice_id, { text: story });
        const { samples, sampleRate } = samplesOf(new Uint8Array(await reply.arrayBuffer()));
        const range = pitchRange(trackPitch(samples, sampleRate)) ?? 0;
        return { seconds: samples.length / sampleRate, range };
      };
      const [slow, fast] = [
        await cloneOf({ speed: 0.75, pitch_variance: 0.4 }),
        await cloneOf({ speed: 1.4, pitch_variance: 1.8 }),
      ];
      assert.ok(slow.seconds > fast.seconds * 1.3, `${slow.seconds} s and ${fast.seconds} s`);
      assert.ok(fast.range > slow.range * 1.5, `${fast.range} and ${slow.range} semitones`);
    });

    it('speaks other languages at the same pitch', async () => {
      const id = await clone('Me', undefined, 120);
      for (const [language, text] of Object.entries({
        de: 'Wir waren vor einem Jahr weg.',
        ru: 'Мы были дома.',
      })) {
        const reply = await speak(id, { language, text });
        assert.equal(reply.status, 200, await (reply.ok ? '' : reply.text()));
        const { samples, sampleRate } = samplesOf(new Uint8Array(await reply.arrayBuffer()));
        const spoken = medianPitch(trackPitch(samples, sampleRate)) ?? 0;
        assert.ok(Math.abs(12 * Math.log2(spoken / 120)) < 3, `${language}: ${spoken} Hz`);
      }
    });

    it('keeps the description as sent, and marks the approximation in a field', async () => {
      const id = await clone('Me', 'My own voice');
      const read = operations.getCustomVoice.response;
      const voice = read.parse(await (await send('GET', `/v1/custom-voices/${id}`)).json());
      assert.deepEqual([voice.name, voice.description, voice.approximate], ['Me', 'My own voice', true]);
      const list = operations.listCustomVoices.response;
      const { items } = list.parse(await (await send('GET', '/v1/custom-voices?page_size=100')).json());
      assert.equal(items.find(({ voice_id }) => voice_id === id)?.approximate, true);
    });

    it('marks speech with an approximated voice, whole or streamed', async () => {
      const id = await clone('Me');
      for (const [voice, header] of [
        [id, 'true'],
        ['slt', null],
      ] as const) {
        for (const form of ['', '/stream']) {
          const body = { text: 'Hello', language: 'en' };
          const reply = await send('POST', `/v1/text-to-speech/${voice}${form}`, body);
          assert.equal(reply.headers.get('x-voice-approximate'), header);
          await reply.arrayBuffer();
        }
      }
    });

    it('accepts the style neutral only', async () => {
      const id = await clone('Me');
      assert.equal((await speak(id, { style: 'neutral' })).status, 200);
      assert.equal((await speak(id, { style: 'happy' })).status, 400);
    });

    it('finds a voice by a part of its name or description', async () => {
      await clone('Anna at home');
      const id = await clone('Bob', 'from the radio');
      assert.deepEqual(
        (await get('/v1/custom-voices/search?name=BO')).items.map((voice) => voice.voice_id),
        [id],
      );
      assert.equal((await get('/v1/custom-voices/search?description=radio')).total, 1);
      const all = (await get('/v1/custom-voices')).total;
      for (const query of [
        'name=',
        'name=%20&description=',
        'style=',
        'style=neutral',
        'style=sad,Neutral',
        'style=neutral;',
      ])
        assert.equal((await get(`/v1/custom-voices/search?${query}`)).total, all, query);
      for (const query of ['style=sad', 'style=neutral;sad', 'style=sad;happy', 'name=bo&style=happy'])
        assert.equal((await get(`/v1/custom-voices/search?${query}`)).total, 0, query);
      assert.equal((await get('/v1/custom-voices/search?name=nobody')).total, 0);
    });

    it('renames, describes and deletes a voice', async () => {
      const id = await clone('Me');
      const before = (await get('/v1/custom-voices')).items[0];
      const renamed = await send('PATCH', `/v1/custom-voices/${id}`, { name: 'You' });
      assert.deepEqual(await renamed.json(), { ...before, name: 'You' });
      const described = await send('PATCH', `/v1/custom-voices/${id}`, { description: 'new' });
      assert.deepEqual(await described.json(), {
        voice_id: id,
        name: 'You',
        description: 'new',
        styles: ['neutral'],
        approximate: true,
      });
      const deleted = await send('DELETE', `/v1/custom-voices/${id}`);
      assert.equal(deleted.status, 204);
      assert.equal(await deleted.text(), '');
      assert.equal((await speak(id)).status, 404);
      assert.deepEqual(await readdir(path.join(service.data, 'clones')), []);
    });

    it('deletes the sample of a voice, even if several requests delete the voice at once', async () => {
      for (let round = 0; round < 3; round += 1) {
        const id = await clone('Me');
        const requests = Array.from({ length: 6 }, () => send('DELETE', `/v1/custom-voices/${id}`));
        const statuses = (await Promise.all(requests)).map(({ status }) => status);
        assert.deepEqual(
          statuses.toSorted((one, other) => one - other),
          [204, 404, 404, 404, 404, 404],
        );
        assert.deepEqual(await readdir(path.join(service.data, 'clones')), []);
      }
    });

    it('stores the sample in the data folder, readable by its owner only', async () => {
      const id = await clone('Me');
      const file = path.join(service.data, 'clones', `${id}.wav`);
      assert.deepEqual(await readFile(file), sample());
      assert.equal((await stat(file)).mode & 0o777, 0o600);
    });
  });

  describe('that ends', () => {
    beforeEach(async () => {
      service = await startTestService();
      ({ key } = service);
    });
    afterEach(() => service.close());

    it('assigns a natural preset voice to a sample of any pitch', async () => {
      for (const pitch of [70, 120, 300]) await clone(`${pitch} Hz`, undefined, pitch);
      await service.stop();
      const voices = await withLedger(service.data, ({ accounts, customVoices }) =>
        customVoices.list(accounts.named('local').id),
      );
      assert.equal(voices.length, 3);
      for (const { preset } of voices) assert.match(preset, /^(slt|rms|awb)$/);
    });

    it('lists voices in the order of creation, page by page, while a voice is deleted', async () => {
      const names = Array.from({ length: 13 }, (_, index) => `voice ${index}`);
      await service.stop();
      const ids = await withLedger(service.data, ({ accounts, customVoices }) => {
        const { id } = accounts.named('local');
        return names.map((name) => customVoices.add(id, { ...someVoice, name }).voice_id);
      });
      const again = await startTestService({ data: service.data });
      const list = async (query: string) =>
        operations.listCustomVoices.response.parse(
          await (await again.send('GET', `/v1/custom-voices?page_size=10${query}`)).json(),
        );
      try {
        const first = await list('');
        assert.equal(first.total, 13);
        assert.match(first.next_page_token ?? '', /^\d+$/);
        await again.send('DELETE', `/v1/custom-voices/${ids[3]}`);
        const second = await list(`&next_page_token=${first.next_page_token}`);
        assert.equal(second.next_page_token, undefined);
        const seen = [...first.items, ...second.items].map((voice) => voice.name);
        assert.deepEqual(seen, names);
      } finally {
        await again.close();
      }
    });

    it('keeps voices after a restart, and completes an interrupted creation or deletion', async () => {
      const id = await clone('Me');
      const before = await get('/v1/custom-voices');
      await service.stop();
      const folder = path.join(service.data, 'clones');
      await rename(path.join(folder, `${id}.wav`), path.join(folder, `${id}.wav.unfinished`));
      await writeFile(path.join(folder, 'clone-0000000000000000.wav.unfinished'), '');
      await writeFile(path.join(folder, 'clone-1111111111111111.wav'), 'a sample of another database');
      const again = await startTestService({ data: service.data });
      try {
        assert.deepEqual(await (await again.send('GET', '/v1/custom-voices')).json(), before);
        assert.deepEqual(
          (await readdir(folder)).toSorted(),
          [`${id}.wav`, 'clone-1111111111111111.wav'].toSorted(),
        );
      } finally {
        await again.close();
      }
    });
  });
});

/** A voice whose sample file does not exist. */
const someVoice = {
  description: null,
  preset: 'rms',
  pitchShift: 0,
  pitchVariance: 1,
  rate: 1,
  sample: 'none.wav',
};
