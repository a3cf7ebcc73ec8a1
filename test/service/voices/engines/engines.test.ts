import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { loadEngines } from '../../../../service/voices/engines/engines.js';
import { startTestService, type TestService } from '../../../support/service/service.js';

const plugIn = (name: string) => path.join(__dirname, 'plug-ins', name);
const hello = { text: 'Hello there.', language: 'en' };

describe('an engine module', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'herald-engines-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  const refused = (modules: readonly string[], message: RegExp) =>
    assert.rejects(loadEngines(modules), { name: 'EngineError', message });
  const written = (source: string) => {
    const file = path.join(folder, `${Math.random().toString(36).slice(2)}.cjs`);
    writeFileSync(file, source);
    return file;
  };

  it('follows the built-in engines, as an ES module or as a CommonJS module', async () => {
    const engines = await loadEngines([plugIn('mockingbird.mjs'), plugIn('misbehaving.cjs')]);
    assert.equal(engines[0]?.id, 'flite');
    assert.deepEqual(
      engines.slice(-2).map(({ id }) => id),
      ['mockingbird', 'misbehaving'],
    );
  });

  it('is rejected with its name and the reason if it is missing or invalid', async () => {
    await refused(['no-such-package'], /^engine module "no-such-package" cannot be loaded: /);
    await refused([written('throw new Error("not today")')], /cannot be loaded: not today/);
    await refused(
      [written('exports.engine = { id: "x", voices: [] }')],
      /does not export a valid "engine": .*expected a function/,
    );
    const badVoice = 'exports.engine = { id: "x", voices: [{ id: "a b" }], prepare() {}, start() {} }';
    await refused([written(badVoice)], /voices\[?\.?0.*id is "a b": expected letters/);
    await refused([written('exports.other = 1')], /does not export a valid "engine"/);
  });

  it('is rejected if another engine or voice has the same id', async () => {
    const twice = [plugIn('mockingbird.mjs'), plugIn('mockingbird.mjs')];
    await refused(twice, /^engine "mockingbird" exists twice: /);
    const voice = `{ id: 'slt', name: 'S', description: '', age: '', gender: '', useCases: [], languages: ['en'], pitch: 1, isNatural: true }`;
    const thief = written(`exports.engine = { id: 'x', voices: [${voice}], prepare() {}, start() {} }`);
    await refused([thief], /^voice "slt" exists twice: /);
  });

  it('adds preset voices with samples, and speaks with them', async () => {
    const service = await startTestService({ engines: [plugIn('mockingbird.mjs')] });
    try {
      const voice = await (await service.send('GET', '/v1/voices/mockingbird')).json();
      assert.deepEqual(voice.language, ['en', 'ko']);
      assert.equal((await fetch(voice.samples[0].url)).status, 200);
      const reply = await service.send('POST', '/v1/text-to-speech/mockingbird', hello);
      assert.equal(reply.headers.get('x-audio-length'), '2');
    } finally {
      await service.close();
    }
  });
});

describe('docs/engines.md', () => {
  it('contains an engine that speaks', async () => {
    const page = readFileSync(path.join(__dirname, '../../../../docs/engines.md'), 'utf8');
    const [, source = ''] = /```js\n(.*?)```/s.exec(page) ?? [];
    const folder = mkdtempSync(path.join(os.tmpdir(), 'herald-engines-'));
    const file = path.join(folder, 'beeps.mjs');
    writeFileSync(file, source);
    const service = await startTestService({ engines: [file] });
    try {
      const reply = await service.send('POST', '/v1/text-to-speech/beeps', hello);
      assert.equal(reply.headers.get('x-audio-length'), '0.4');
    } finally {
      await service.close();
      rmSync(folder, { recursive: true });
    }
  });
});

/** docs/interface.md#errors */
describe('an engine that misbehaves', () => {
  const engines = [plugIn('misbehaving.cjs')];
  let service: TestService;
  /** Ends a job after seconds that suffice for the start of a worker on a busy machine. */
  let strict: TestService;
  before(async () => {
    const speech = { size: 2, timeLimit: 7000, grace: 3000 };
    [service, strict] = await Promise.all([
      startTestService({ engines, speech: { size: 1 } }),
      startTestService({ engines, speech }),
    ]);
  });
  after(async () => Promise.all([service.close(), strict.close()]));

  const speak = (voice: string, form = '', { send } = service) =>
    send('POST', `/v1/text-to-speech/${voice}${form}`, hello);

  const isFailure = async (reply: Response, status: number) => {
    assert.equal(reply.status, status);
    const { message } = await reply.json();
    assert.equal(typeof message.error, 'string');
    assert.doesNotMatch(JSON.stringify(message), /inner words|worker|at .*\.js/);
  };

  const answers = async (voice: string, status: number, form?: string) => {
    await isFailure(await speak(voice, form), status);
    assert.equal((await speak('speak')).status, 200);
  };

  it('gets a 408 if it blocks or takes too long, and the next requests get speech', async () => {
    const [hang, dawdle] = await Promise.all([speak('hang', '', strict), speak('dawdle', '', strict)]);
    await isFailure(hang, 408);
    await isFailure(dawdle, 408);
    const next = await Promise.all([speak('speak', '', strict), speak('speak', '', strict)]);
    assert.deepEqual(
      next.map(({ status }) => status),
      [200, 200],
    );
  });

  for (const [what, status] of Object.entries({ crash: 500, fail: 500, 'time out': 408 })) {
    it(`causes a ${status} if it would ${what}, and the next request gets speech`, async () =>
      answers(what.replace(' ', '-'), status));
  }

  it('causes a 500 if it would crash during a stream, and the next request gets speech', async () =>
    answers('crash', 500, '/stream'));

  for (const voice of ['omit-the-sample-rate', 'omit-the-phonemes']) {
    it(`causes a 500 for an invalid piece of speech, complete or streamed (${voice})`, async () => {
      await answers(voice, 500);
      await answers(voice, 500, '/stream');
    });
  }
});
