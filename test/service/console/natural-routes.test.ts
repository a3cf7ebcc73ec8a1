import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { inspectAudio, z } from '@herald-speech/client';
import { measurementsIn } from '../../../service/voices/installed/folders.js';
import { MAX_JOBS } from '../../../service/voices/natural/manage/jobs.js';
import { installStub } from '../../support/natural/installed-stub.js';
import {
  openAccount,
  startTestService,
  type TestService,
  withLedger,
} from '../../support/service/service.js';
import { type MirrorFault, type VoiceMirror, withVoiceMirror } from '../../support/natural/voice-mirror.js';
import { filesOf, skipMeasurement, writeRepository } from '../../support/natural/voice-repository.js';
import { until } from '../../support/waiting.js';

const NAME = 'de_DE-thorsten-medium';
const OTHER = 'de_DE-kerstin-low';
const WHERE = '/console/api/voices';
const IMPORT = '/console/api/voice-import';
const SENTENCE = { text: 'Das Fenster ist offen.', language: 'de' };

const job = z.object({
  phase: z.string(),
  bytes: z.number(),
  total: z.number(),
  error: z.string().nullable(),
  isDone: z.boolean(),
});
const importJob = job.extend({ kind: z.string().nullable(), folder: z.string(), voice: z.string() });
const list = z.object({
  engine: z.object({ isInstalled: z.boolean() }),
  folder: z.object({ path: z.string(), isWritable: z.boolean(), freeBytes: z.number().nullable() }),
  voices: z.array(
    z.looseObject({
      name: z.string(),
      installed: z.looseObject({ voiceIds: z.array(z.string()) }).nullable(),
      job: job.nullable(),
    }),
  ),
});
const card = z.object({ text: z.string(), licence: z.string().nullable(), sha256: z.string() });

/** docs/service.md#natural-voices */
describe('the routes of natural voices', () => {
  let repository: string;
  before(async () => {
    repository = await mkdtemp(path.join(os.tmpdir(), 'herald-repository-'));
    await writeRepository(repository, [
      { name: NAME, silent: '^$.,:;!?' },
      { name: OTHER, sampleRate: 16_000 },
    ]);
  });
  after(() => rm(repository, { recursive: true }));

  it('describe the native runtime, and admit only the key of the service', async () => {
    const service = await startTestService();
    try {
      const reply = await service.send('GET', '/console/api/native-runtime');
      const { isInstalled, bytes, downloadBytes, obstacle, job } = Object(await reply.json());
      assert.deepEqual([isInstalled, job], [false, null]);
      assert.ok(obstacle === null ? bytes > 20e6 && downloadBytes > bytes : bytes >= 0);
      const cancelled = await service.send('DELETE', '/console/api/native-runtime/job');
      assert.equal(cancelled.status, 404);
      for (const method of ['GET', 'POST', 'DELETE'] as const) {
        const refused = await fetch(`${service.url}/console/api/native-runtime`, { method });
        assert.equal(refused.status, 401);
      }
    } finally {
      await service.close();
    }
  });

  /** Runs `work` with a service whose mirror has the stub voices. */
  const withService = (
    work: (service: TestService, mirror: VoiceMirror) => Promise<void>,
    faultOf?: (file: string) => MirrorFault | undefined,
  ) =>
    withVoiceMirror(
      repository,
      async (mirror) => {
        const service = await startTestService({ voicesUrl: mirror.url });
        try {
          await work(service, mirror);
        } finally {
          await service.close();
        }
      },
      faultOf && (({ file }) => faultOf(file)),
    );
  const voicesOf = async (service: TestService, query = '') =>
    list.parse(await (await service.send('GET', WHERE + query)).json());
  const refresh = async (service: TestService) =>
    assert.equal((await service.send('POST', `${WHERE}/refresh`)).status, 204);
  const start = async (service: TestService, name = NAME) => {
    const { sha256 } = card.parse(await (await service.send('GET', `${WHERE}/${name}/card`)).json());
    const reply = await service.send('POST', `${WHERE}/${name}`, { card: sha256 });
    assert.equal(reply.status, 202);
    return job.parse(await reply.json());
  };
  const ended = async (service: TestService, name = NAME) => {
    for (;;) {
      const state = job.parse(await (await service.send('GET', `${WHERE}/${name}/job`)).json());
      if (state.isDone) return state;
      await delay(50);
    }
  };
  const isDownloading = ({ requests }: VoiceMirror) => requests.some(({ file }) => file.endsWith('.onnx'));
  const install = async (service: TestService, name = NAME) => {
    await refresh(service);
    await start(service, name);
    assert.equal((await ended(service, name)).error, null);
  };
  const speak = (service: TestService, body: object = SENTENCE, form = '', voice = NAME) =>
    service.send('POST', `/v1/text-to-speech/${voice}${form}`, body);
  const idsOf = async (service: TestService) => {
    const reply = await service.send('GET', '/v1/voices/search?language=de');
    const { items } = z
      .object({ items: z.array(z.looseObject({ voice_id: z.string() })) })
      .parse(await reply.json());
    return items.map(({ voice_id }) => voice_id);
  };

  it('need a session or a key of the account "local"', async () => {
    const first = await startTestService();
    await first.stop();
    const foreign = await withLedger(first.data, (ledger) => openAccount(ledger, 'radio', 'pro', 100));
    const service = await startTestService({ data: first.data });
    try {
      const routes = [
        ['GET', ''],
        ['POST', '/refresh'],
        ['GET', `/${NAME}/card`],
        ['GET', `/${NAME}/sample`],
        ['POST', `/${NAME}`],
        ['POST', `/${NAME}/measurement`],
        ['GET', `/${NAME}/job`],
        ['DELETE', `/${NAME}/job`],
        ['DELETE', `/${NAME}`],
        ['POST', IMPORT],
        ['GET', IMPORT],
        ['DELETE', IMPORT],
      ] as const;
      for (const [method, where] of routes) {
        const at = where === IMPORT ? IMPORT : WHERE + where;
        const none = await fetch(service.url + at, { method });
        assert.equal(none.status, 401, `${method} ${where}`);
        const other = await service.send(method, at, undefined, { 'x-sup-api-key': foreign });
        assert.equal(other.status, 403, `${method} ${where}`);
        assert.match(await other.text(), /the key in the data folder/);
      }
    } finally {
      await service.close();
      await first.close();
    }
  });

  it('use no network for the list of voices', () =>
    withService(async (service, { requests }) => {
      const { engine, folder, voices } = await voicesOf(service, '?language=de&search=thorsten');
      assert.equal(engine.isInstalled, true);
      assert.equal(folder.path, path.join(service.data, 'voices'));
      assert.equal(folder.isWritable, true);
      assert.ok((folder.freeBytes ?? 0) > 0);
      assert.ok(voices.length > 0);
      assert.deepEqual(requests, []);
      assert.equal(existsSync(folder.path), false);
    }));

  it('reject an invalid name, and a request without consent', () =>
    withService(async (service, { requests }) => {
      for (const name of ['..%2F..%2Fkey', '%2e%2e', 'a'.repeat(300), 'xx_XX-none-medium', 'con']) {
        for (const [method, where] of [
          ['GET', `/${name}/card`],
          ['GET', `/${name}/sample`],
          ['GET', `/${name}/job`],
          ['POST', `/${name}`],
          ['DELETE', `/${name}`],
        ] as const) {
          const { status } = await service.send(method, WHERE + where, method === 'POST' ? {} : undefined);
          assert.equal(status, 404, `${method} ${where}`);
        }
      }
      for (const body of [{}, { card: 'yes' }, { card: 7 }, { card: 'a'.repeat(70_000) }]) {
        const reply = await service.send('POST', `${WHERE}/${NAME}`, body);
        assert.equal(reply.status, 400);
      }
      assert.deepEqual(requests, []);
    }));

  it('refuse to install a voice whose model card the user did not see', () =>
    withService(async (service) => {
      await refresh(service);
      await service.send('POST', `${WHERE}/${NAME}`, { card: 'a'.repeat(64) });
      assert.match((await ended(service)).error ?? '', /model card differs/);
      assert.deepEqual(await readdir(service.data).then((names) => names.includes('voices')), false);
    }));

  it('remove a voice while it speaks: the running request ends, and the service goes on', () =>
    withService(async (service) => {
      await skipMeasurement(repository, service.data, NAME);
      await install(service);
      const text = 'Eins ist hier. '.repeat(18);
      const streamed = speak(service, { text, language: 'de' }, '/stream');
      const [reply, removed] = await Promise.all([streamed, service.send('DELETE', `${WHERE}/${NAME}`)]);
      assert.equal(removed.status, 204);
      const outcome = await reply.arrayBuffer().then(
        (bytes) =>
          reply.status === 200 ? inspectAudio(new Uint8Array(bytes)).duration > 0 : reply.status === 404,
        () => true, // The connection broke off, because the headers were sent.
      );
      assert.equal(outcome, true, String(reply.status));
      assert.equal((await speak(service)).status, 404);
      assert.equal((await speak(service, SENTENCE, '', 'de-anna')).status, 200);
    }));

  it('cancel an installation, and leave nothing that is offered as a voice', () =>
    withService(
      async (service, mirror) => {
        await refresh(service);
        assert.equal((await start(service)).isDone, false);
        await until(() => isDownloading(mirror));
        assert.equal((await service.send('DELETE', `${WHERE}/${NAME}/job`)).status, 204);
        assert.equal((await service.send('GET', `${WHERE}/${NAME}/job`)).status, 404);
        assert.equal((await idsOf(service)).includes(NAME), false);
        await skipMeasurement(repository, service.data, OTHER);
        await install(service, OTHER);
      },
      (file) => (file.endsWith(`${NAME}.onnx`) ? { stallAt: 1000 } : undefined),
    ));

  it('report a download that fails with its reason, and go on', () =>
    withService(
      async (service) => {
        await refresh(service);
        await start(service);
        const { error } = await ended(service);
        assert.match(error ?? '', new RegExp(NAME));
        assert.equal((await idsOf(service)).includes(NAME), false);
      },
      (file) => (file.endsWith(`${NAME}.onnx`) ? { content: Buffer.from('<html>moved</html>') } : undefined),
    ));

  it('end an installation when the service closes', () =>
    withVoiceMirror(
      repository,
      async (mirror) => {
        const service = await startTestService({ voicesUrl: mirror.url });
        await refresh(service);
        await start(service);
        await until(() => isDownloading(mirror));
        await service.stop();
        const folder = path.join(service.data, 'voices');
        assert.equal(existsSync(path.join(folder, NAME)), false);
        await service.close();
      },
      ({ file }) => (file.endsWith(`${NAME}.onnx`) ? { stallAt: 1000 } : undefined),
    ));

  it('pass a sample of the repository on, if it is audio of a limited size', () => {
    const [model = ''] = filesOf(NAME);
    const sample = path.posix.join(path.posix.dirname(model), 'samples', 'speaker_0.mp3');
    const faults: Array<MirrorFault | undefined> = [
      undefined,
      { content: Buffer.from('<html>not found</html>') },
      { content: Buffer.alloc(2_000_001) },
      { status: 404 },
    ];
    return withService(
      async (service) => {
        const reply = await service.send('GET', `${WHERE}/${NAME}/sample`);
        assert.equal(reply.status, 200);
        assert.match(reply.headers.get('content-type') ?? '', /^audio\//);
        assert.equal(inspectAudio(new Uint8Array(await reply.arrayBuffer())).duration, 1);
        for (const status of [503, 503, 404]) {
          const failed = await service.send('GET', `${WHERE}/${NAME}/sample`);
          assert.ok([status, 503].includes(failed.status), String(failed.status));
          assert.match(failed.headers.get('content-type') ?? '', /json/);
        }
      },
      (file) => (file === sample ? faults.shift() : undefined),
    );
  });

  describe('an import', () => {
    const endOf = async (service: TestService) => {
      for (;;) {
        const state = importJob.parse(await (await service.send('GET', IMPORT)).json());
        if (state.isDone) return state;
        await delay(50);
      }
    };
    const importFrom = async (service: TestService, folder: string) => {
      const reply = await service.send('POST', IMPORT, { folder });
      assert.equal(reply.status, 202);
      return endOf(service);
    };

    it('installs the voices of a folder without a download, and the next request speaks with them', () =>
      withService(async (service, { requests }) => {
        for (const name of [NAME, OTHER]) await skipMeasurement(repository, service.data, name);
        await refresh(service);
        const { length } = requests;
        assert.equal((await service.send('GET', IMPORT)).status, 404);
        const end = await importFrom(service, repository);
        assert.deepEqual([end.error, end.folder], [null, repository]);
        assert.ok([NAME, OTHER].includes(end.voice));
        const { voices } = await voicesOf(service);
        assert.deepEqual(voices.flatMap(({ name, installed }) => (installed ? [name] : [])).sort(), [
          OTHER,
          NAME,
        ]);
        assert.equal((await speak(service)).status, 200);
        assert.equal(requests.length, length);
      }));

    it('names the cause: a missing folder, and a folder without voices', async () => {
      const place = await mkdtemp(path.join(os.tmpdir(), 'herald-import-'));
      const service = await startTestService();
      try {
        for (const [folder, kind, error] of [
          [path.join(place, 'missing'), 'no-folder', /missing: no such folder or file\. Correct its path/],
          [place, 'no-voices', /: no voices, expected NAME\.onnx and NAME\.onnx\.json/],
        ] as const) {
          const end = await importFrom(service, folder);
          assert.equal(end.kind, kind);
          assert.match(end.error ?? '', error);
        }
        for (const folder of ['', 7, 'x'.repeat(5000)])
          assert.equal((await service.send('POST', IMPORT, { folder })).status, 400);
      } finally {
        await service.close();
        await rm(place, { recursive: true });
      }
    });

    it('is one at a time, and ends if it is cancelled', () =>
      withService(async (service) => {
        await refresh(service);
        const [first, second] = await Promise.all(
          [1, 2].map(() => service.send('POST', IMPORT, { folder: repository })),
        );
        assert.deepEqual(new Set([first?.status, second?.status]), new Set([202, 403]));
        assert.equal((await service.send('DELETE', IMPORT)).status, 204);
        assert.equal((await service.send('GET', IMPORT)).status, 404);
        assert.equal((await service.send('DELETE', IMPORT)).status, 404);
      }));

    it('is a 503 while too many installations wait, and leaves the state of the last import', () =>
      withService(
        async (service) => {
          const missing = path.join(repository, 'missing');
          const last = await importFrom(service, missing);
          const { voices } = await voicesOf(service);
          for (const { name } of voices.slice(0, MAX_JOBS)) {
            const { status } = await service.send('POST', `${WHERE}/${name}`, { card: 'a'.repeat(64) });
            assert.equal(status, 202, name);
          }
          const reply = await service.send('POST', IMPORT, { folder: repository });
          assert.equal(reply.status, 503);
          assert.match(await reply.text(), /too many installations wait: try again later/);
          assert.deepEqual(importJob.parse(await (await service.send('GET', IMPORT)).json()), last);
        },
        () => ({ content: Buffer.from('card'), stallAt: 0 }),
      ));
  });

  describe('with an installed voice', () => {
    let service: TestService;
    before(() =>
      withVoiceMirror(repository, async ({ url }) => {
        service = await startTestService({ voicesUrl: url });
        await install(service);
      }),
    );
    after(() => service.close());

    it('install a voice that speaks at once in all forms, and that the next search lists first', async () => {
      assert.equal((await idsOf(service))[0], NAME);
      const wav = inspectAudio(new Uint8Array(await (await speak(service)).arrayBuffer()));
      assert.equal(wav.sampleRate, 22_050);
      const stream = await speak(service, SENTENCE, '/stream');
      assert.ok(inspectAudio(new Uint8Array(await stream.arrayBuffer())).duration > 0);
      const mp3 = await speak(service, { ...SENTENCE, output_format: 'mp3' });
      assert.equal(inspectAudio(new Uint8Array(await mp3.arrayBuffer())).format, 'mp3');
      const marked = await speak(service, { ...SENTENCE, include_phonemes: true });
      const { phonemes } = z
        .object({ phonemes: z.object({ symbols: z.array(z.string()) }) })
        .parse(await marked.json());
      assert.ok(phonemes.symbols.length > 5);
      const predicted = await service.send('POST', `/v1/predict-duration/${NAME}`, SENTENCE);
      const { duration } = z.object({ duration: z.number() }).parse(await predicted.json());
      assert.ok(
        Math.abs(duration / wav.duration - 1) < 0.05,
        `${duration} s predicted, ${wav.duration} s spoken`,
      );
    });

    it('describe an installed voice with its quality, its licence and its speed', async () => {
      const reply = await service.send('GET', `/v1/voices/${NAME}`);
      const voice = z
        .object({
          natural: z.boolean(),
          quality: z.string(),
          live: z.boolean(),
          real_time_factor: z.number(),
        })
        .parse(await reply.json());
      assert.equal(voice.natural, true);
      assert.equal(voice.quality, 'medium');
      assert.ok(voice.real_time_factor > 0);
    });

    it('measure an installed voice again, with progress, and none that is not installed', async () => {
      const file = path.join(measurementsIn(service.data), `${NAME}.json`);
      const before = await readFile(file, 'utf8');
      const reply = await service.send('POST', `${WHERE}/${NAME}/measurement`);
      assert.equal(reply.status, 202);
      assert.equal(job.parse(await reply.json()).isDone, false);
      const { phase, bytes, total, error } = await ended(service);
      assert.deepEqual([phase, error], ['measure', null]);
      assert.ok(bytes > 1 && bytes === total, `${bytes} of ${total} sentences`);
      assert.notEqual(await readFile(file, 'utf8'), before);
      const other = await service.send('POST', `${WHERE}/de_DE-thorsten-high/measurement`);
      assert.equal(other.status, 404);
    });

    it('play the sample of an installed voice, which browsers do not keep', async () => {
      const sample = await fetch(`${service.url}/samples/${NAME}/de/neutral/main_speech_2.wav`);
      assert.equal(sample.status, 200);
      assert.equal(sample.headers.get('cache-control'), 'no-cache');
      assert.ok(inspectAudio(new Uint8Array(await sample.arrayBuffer())).duration > 0);
    });

    it('remove a voice: the next request gets a 404 that explains the installation', async () => {
      assert.equal((await service.send('DELETE', `${WHERE}/${NAME}`)).status, 204);
      const reply = await speak(service);
      assert.equal(reply.status, 404);
      assert.match(await reply.text(), new RegExp(`herald-service voices install ${NAME}`));
      assert.equal((await idsOf(service)).includes(NAME), false);
      assert.equal((await fetch(`${service.url}/samples/${NAME}/de/neutral/main_speech_2.wav`)).status, 404);
    });

    it('notice a voice that another process removes', async () => {
      await service.send('DELETE', `${WHERE}/${NAME}`);
      const folder = path.join(service.data, 'voices');
      await installStub(folder, { name: OTHER });
      await until(async () => (await idsOf(service))[0] === OTHER);
      assert.equal((await speak(service, SENTENCE, '', OTHER)).status, 200);
      await rm(path.join(folder, OTHER), { recursive: true });
      await until(async () => {
        const { status } = await speak(service, SENTENCE, '', OTHER);
        assert.ok([200, 404].includes(status), String(status));
        return status === 404;
      });
    });
  });
});
