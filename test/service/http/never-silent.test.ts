import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import http, { type IncomingMessage } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { LogEntry } from '../../../service/kit/log.js';
import { describeWith } from '../../support/programs/describe-with.js';
import { installStub } from '../../support/natural/installed-stub.js';
import { neuralProcesses, speechProcesses } from '../../support/natural/neural-processes.js';
import { idsHeardIn } from '../../support/natural/stub-voice.js';
import { samplesOf, startTestService, type TestService } from '../../support/service/service.js';
import { until } from '../../support/waiting.js';
import { typesOf, WyomingClient } from '../wyoming/support.js';
import { contentOf, isTail, suffixesOf, wordsIn } from './spoken-lines.js';

const GOOD = 'de_DE-good-medium';
const DEAD = 'de_DE-dead-medium';
const SILENT = 'de_DE-zeros-medium';
/** Its decoder takes some tenths of a second for a window. */
const SLOW = 'de_DE-slow-medium';
/** The simple voice, at the sample rate of the natural ones. */
const SIMPLE = 'de-anna';
const TEXT =
  'Die neue Lampe im kleinen Zimmer oben leuchtet heute Abend warm und hell bis spät in die kalte Nacht hinein.';

/** docs/never-silent.md#natural-voices */
describeWith(['ps'], 'a natural voice that fails', () => {
  const root = mkdtempSync(path.join(os.tmpdir(), 'herald-silent-'));
  const voices = path.join(root, 'voices');
  const log: LogEntry[] = [];
  let service: TestService;
  before(async () => {
    await installStub(voices, { name: GOOD });
    await installStub(voices, { name: DEAD, fault: 'nan' });
    await installStub(voices, { name: SILENT, fault: 'zeros' });
    await installStub(voices, { name: SLOW, decoder: 'windows', hopLength: 1024 });
    const wyoming = { host: '127.0.0.1', port: 0, account: 'local' };
    service = await startTestService({ voices, wyoming, log: (entry) => void log.push(entry) });
  });
  after(async () => {
    await service.close();
    rmSync(root, { recursive: true });
  });
  beforeEach(() => void log.splice(0));

  const speak = (voice: string, text: string, rest: object = {}) =>
    service.send('POST', `/v1/text-to-speech/${voice}`, { text, language: 'de', ...rest });
  /** Returns the samples of a reply. */
  const audioOf = async (reply: Response) => {
    assert.equal(reply.status, 200, await reply.clone().text());
    return samplesOf(new Uint8Array(await reply.arrayBuffer())).samples;
  };
  const simpleReplies = new Map<string, Promise<Float32Array>>();
  /** Returns the samples of a text from the simple voice, which speaks each text once. */
  const simply = (text: string) => {
    const samples = simpleReplies.get(text) ?? speak(SIMPLE, text).then(audioOf);
    simpleReplies.set(text, samples);
    return samples;
  };
  const reasonOf = (reply: Response) =>
    decodeURIComponent(reply.headers.get('x-voice-fallback-reason') ?? '');
  const failures = () => log.filter(({ level }) => level === 'error');
  /** Sends a request for a stream of lines with phonemes. */
  const stream = async (voice: string, text: string): Promise<IncomingMessage> => {
    const request = http.request(`${service.url}/v1/text-to-speech/${voice}/stream`, {
      method: 'POST',
      headers: { 'x-sup-api-key': service.key, 'content-type': 'application/json' },
    });
    request.end(JSON.stringify({ text, language: 'de', include_phonemes: true }));
    const [reply] = (await once(request, 'response')) as [IncomingMessage];
    assert.equal(reply.statusCode, 200);
    return reply;
  };

  it('gives way to the simple voice of its language, which says the whole text, and the log has the reason', async () => {
    const reply = await speak(DEAD, TEXT);
    assert.equal(reply.headers.get('x-voice-fallback'), SIMPLE);
    assert.match(reasonOf(reply), /^de_DE-dead-medium\.onnx: the model returned samples .* \(NaN\)/);
    assert.deepEqual(await audioOf(reply), await simply(TEXT));
    const [entry] = failures();
    assert.deepEqual(
      [entry?.['protocol'], entry?.['voice'], entry?.['voiceFallback']],
      ['native', DEAD, SIMPLE],
    );
    assert.match(String(entry?.['error']), /the voice de_DE-dead-medium failed, so de-anna speaks: .*NaN/);
  });

  it('gives way in the whole reply if its model returns only silence', async () => {
    const reply = await speak(SILENT, 'Hallo.');
    assert.match(reasonOf(reply), /only silence/);
    assert.deepEqual(await audioOf(reply), await simply('Hallo.'));
  });

  it('is charged and reported as the simple voice', async () => {
    const reply = await speak(DEAD, 'Hallo.');
    const charged = Number(reply.headers.get('x-audio-length'));
    const seconds = (await audioOf(reply)).length / 22_050;
    assert.ok(Math.abs(charged - seconds) < 0.001);
    const day = new Date().toISOString().slice(0, 10);
    const usage = await service.send('GET', `/v1/voice-usage?start_date=${day}&end_date=${day}`);
    const { usages } = (await usage.json()) as { usages: { voice_id: string }[] };
    assert.ok(usages.every(({ voice_id }) => voice_id !== DEAD));
  });

  it('speaks a sentence itself if its process is killed before the first sample', async () => {
    const expected = idsHeardIn(await audioOf(await speak(GOOD, 'Guten Tag.')), 22_050);
    const [pid = 0] = neuralProcesses();
    process.kill(pid, 'SIGSTOP');
    const spoken = speak(GOOD, 'Guten Tag.');
    await delay(300);
    process.kill(pid, 'SIGKILL');
    const reply = await spoken;
    assert.equal(reply.headers.get('x-voice-fallback'), null);
    assert.deepEqual(idsHeardIn(await audioOf(reply), 22_050), expected);
    assert.notEqual(neuralProcesses()[0], pid);
    assert.deepEqual(failures(), []);
  });

  it('speaks a sentence itself if the speech process is killed before the first sample', async () => {
    const expected = idsHeardIn(await audioOf(await speak(GOOD, 'Guten Tag.')), 22_050);
    for (const pid of neuralProcesses()) process.kill(pid, 'SIGSTOP');
    const spoken = speak(GOOD, 'Guten Tag.');
    await delay(300);
    const [pid = 0] = speechProcesses();
    for (const each of [pid, ...neuralProcesses()]) process.kill(each, 'SIGKILL');
    const reply = await spoken;
    assert.equal(reply.headers.get('x-voice-fallback'), null);
    assert.deepEqual(idsHeardIn(await audioOf(reply), 22_050), expected);
  });

  /** Returns the length of what the simple voice says at the end of `TEXT`, and the number of words before. */
  const simpleTailOf = async (samples: Float32Array) => {
    for (const { text, before } of suffixesOf(TEXT).slice(1)) {
      const tail = await simply(text);
      if (isTail(samples, tail)) return { tailLength: tail.length, before };
    }
    return assert.fail('the natural voice has spoken no word, or words are missing');
  };

  it('is followed by the simple voice from the first incomplete word if it is killed in a stream', async () => {
    await audioOf(await speak(SLOW, 'Hallo.'));
    const reply = await stream(SLOW, TEXT);
    const lines = reply.setEncoding('utf8')[Symbol.asyncIterator]();
    let body = String((await lines.next()).value);
    for (const pid of neuralProcesses()) process.kill(pid, 'SIGKILL');
    for (let next = await lines.next(); next.done !== true; next = await lines.next())
      body += String(next.value);
    assert.equal(reply.trailers['x-voice-fallback'], SIMPLE);
    assert.match(decodeURIComponent(reply.trailers['x-voice-fallback-reason'] ?? ''), /ended with SIGKILL/);
    const { samples, phonemes } = contentOf(body);
    // The audio ends with exactly what the simple voice says from one word on.
    const { tailLength, before } = await simpleTailOf(samples);
    const start = (samples.length - tailLength) / 22_050;
    const spoken = phonemes.filter((phoneme) => phoneme.start < start - 0.001);
    assert.equal(wordsIn(spoken), before);
    // The times of the simple voice begin where it begins.
    const later = phonemes.slice(spoken.length);
    assert.ok(later.length > 10 && Math.abs((later[0]?.start ?? 0) - start) < 0.001);
    const end = later.at(-1);
    assert.ok(end !== undefined && end.start + end.duration <= samples.length / 22_050 + 0.01);
    assert.ok(Math.abs(Number(reply.trailers['x-audio-length']) - samples.length / 22_050) < 0.001);
  });

  it('gives way to one voice in a whole reply that is killed in a sentence', async () => {
    await audioOf(await speak(SLOW, 'Hallo.'));
    let reply: Response | undefined;
    void speak(SLOW, TEXT).then((response) => (reply = response));
    await until(async () => {
      if (reply === undefined) for (const pid of neuralProcesses()) process.kill(pid, 'SIGKILL');
      // A list of all processes takes longer than the usual time between two looks.
      await delay(50);
      return reply !== undefined;
    });
    assert.ok(reply !== undefined);
    assert.equal(reply.headers.get('x-voice-fallback'), SIMPLE);
    assert.deepEqual(await audioOf(reply), await simply(TEXT));
  });

  it('gives way over Wyoming, which names the simple voice and the reason at the end', async () => {
    const client = new WyomingClient(service.wyomingUrl ?? '');
    const events = await client
      .send({ type: 'synthesize', data: { text: `${TEXT} ${TEXT} ${TEXT}`, voice: { name: DEAD } } })
      .until('audio-stop');
    client.close();
    assert.deepEqual(typesOf(events), ['audio-start', 'audio-chunk', 'audio-stop']);
    const { voice, reason } = (events.at(-1)?.data['fallback'] ?? {}) as Record<string, unknown>;
    assert.equal(voice, SIMPLE);
    assert.match(String(reason), /NaN/);
    // The natural voice is tried once for a text.
    assert.deepEqual(
      failures().map(({ protocol }) => protocol),
      ['wyoming'],
    );
  });

  it('gives way over the OpenAI API, whole and in a stream', async () => {
    const send = (body: object) =>
      service.send(
        'POST',
        '/v1/audio/speech',
        { model: 'tts-1', voice: DEAD, ...body },
        {
          authorization: `Bearer ${service.key}`,
        },
      );
    for (const form of [{ input: 'Hallo.' }, { input: `Hallo. ${TEXT}`, response_format: 'mp3' }]) {
      const reply = await send(form);
      assert.equal(reply.status, 200, await reply.clone().text());
      assert.equal(reply.headers.get('x-voice-fallback'), SIMPLE);
      assert.match(reasonOf(reply), /NaN/);
      assert.ok((await reply.arrayBuffer()).byteLength > 2000);
    }
    assert.deepEqual(
      failures().map(({ protocol }) => protocol),
      ['openai', 'openai'],
    );
  });
});
