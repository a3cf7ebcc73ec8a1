import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type Client, createClient, z } from '@herald-speech/client';
import { parseWav } from '@herald-speech/client/audio';
import { createSpeech, getVoice, listVoices, searchVoices } from '../../../client/interface/operations.js';
import { freePort } from '../../support/net/free-port.js';
import { rejection } from '../../support/rejection.js';
import { spawned } from '../../support/spawned.js';
import { until } from '../../support/waiting.js';
import { runPython } from '../support/python.js';

const JOE = 'en_US-joe-medium';
const PYTHON = path.resolve(__dirname, '../../../.cache/real/wyoming-piper/bin/python');
const RATE = 22_050;
const request = { voice_id: JOE, language: 'en', text: 'Dinner is ready, and the door is open.' };
const SENTENCE = 'The boy was there when the sun rose, and the girl was not. ';

/** Starts the server with the voice, at a port. */
function start(folder: string, port: number): ChildProcess {
  const flags = ['--voice', JOE, '--uri', `tcp://127.0.0.1:${port}`, '--data-dir', folder];
  return spawned(spawn(PYTHON, ['-m', 'wyoming_piper', ...flags], { stdio: 'ignore' }));
}

async function ended(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  server.kill('SIGKILL');
  await once(server, 'exit');
}

describe('wyoming-piper with a real voice', function () {
  this.timeout(600_000);
  let folder: string;
  let port: number;
  let server: ChildProcess;
  let client: Client;

  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'herald-wyoming-'));
    await cp(await runPython(['wyoming-piper', 'folder.py'], null, z.string()), folder, { recursive: true });
    port = await freePort();
    server = start(folder, port);
    client = createClient({
      url: `127.0.0.1:${port}`,
      apiKey: '',
      upstream: { kind: 'wyoming' },
      totalTimeout: 300_000,
    });
    await until(() =>
      client.call(listVoices, {}, { attempts: 1 }).then(
        () => true,
        () => false,
      ),
    );
  });
  after(async () => {
    await client.close();
    await ended(server);
    await rm(folder, { recursive: true, force: true });
  });

  it('lists its voices with languages and speakers, and without a gender', async () => {
    const { language, locale, gender } = await client.call(getVoice, { voice_id: JOE });
    assert.deepEqual([language, locale, gender], [['en'], 'en-US', '']);
    const ids: string[] = [];
    for await (const { items } of client.pages(listVoices, {}))
      ids.push(...items.map(({ voice_id }) => voice_id));
    console.log(
      `      ${ids.length} voices, ${ids.filter((id) => id.includes('#')).length} of them speakers`,
    );
    assert.ok(ids.length > 100);
    assert.ok(ids.some((id) => id.includes('#')));
  });

  it('speaks a sentence at the rate of the voice', async () => {
    const { audio, duration } = await client.call(createSpeech, request);
    const { format, data } = parseWav(audio);
    assert.deepEqual(format, { encoding: 'pcm', sampleRate: RATE, channels: 1, bitsPerSample: 16 });
    assert.ok(duration > 1 && duration < 6, `${duration} s`);
    assert.ok(data.some((byte) => byte !== 0));
  });

  it('speaks a long text piece by piece, first piece first', async () => {
    const text = SENTENCE.repeat(15);
    const started = performance.now();
    let first = 0;
    let seconds = 0;
    let pieces = 0;
    for await (const { duration } of client.stream({ ...request, text })) {
      first ||= performance.now() - started;
      seconds += duration;
      pieces += 1;
    }
    const all = performance.now() - started;
    console.log(
      `      ${pieces} pieces, ${seconds.toFixed(1)} s of audio, first after ${Math.round(first)} of ${Math.round(all)} ms`,
    );
    assert.ok(pieces >= 3 && seconds > 30);
  });

  it('has a duration near the estimate', async () => {
    const { duration: predicted } = await client.predict({ ...request, text: SENTENCE.repeat(4) });
    const { duration } = await client.speak({ ...request, text: SENTENCE.repeat(4) });
    console.log(`      predicted ${predicted.toFixed(1)} s, spoken ${duration.toFixed(1)} s`);
    assert.ok(predicted / duration > 0.5 && predicted / duration < 2);
  });

  it('speaks with its default voice if none is chosen, although it lists others first', async () => {
    const chosen = await client.complete({});
    const { items } = await client.call(searchVoices, { language: 'en' });
    assert.notEqual(items[0]?.voice_id, JOE);
    const { duration } = await client.speak({ ...chosen, text: request.text });
    assert.ok(duration > 1 && duration < 6, `${duration} s`);
  });

  it('names an unknown voice', async () => {
    const { code, message } = await rejection(client.call(createSpeech, { ...request, voice_id: 'nobody' }));
    assert.equal(code, 'not-found');
    assert.match(message, /nobody/);
  });

  it('speaks again after a caller hung up in the middle of a text', async () => {
    const stop = new AbortController();
    const text = SENTENCE.repeat(4).trim();
    const call = rejection(client.call(createSpeech, { ...request, text }, { signal: stop.signal }));
    setTimeout(() => stop.abort(), 100);
    assert.equal((await call).code, 'aborted');
    const began = performance.now();
    await client.call(createSpeech, request);
    console.log(`      the next text took ${Math.round(performance.now() - began)} ms`);
  });

  it('is asked again for a piece in whose middle it was killed and started again', async () => {
    const text = SENTENCE.repeat(40);
    let pieces = 0;
    let restarted = false;
    const patient = createClient({
      url: `127.0.0.1:${port}`,
      apiKey: '',
      upstream: { kind: 'wyoming' },
      totalTimeout: 300_000,
      attempts: 12,
    });
    try {
      for await (const piece of patient.stream({ ...request, text })) {
        pieces += piece.audio.length > 0 ? 1 : 0;
        if (restarted) continue;
        restarted = true;
        await ended(server);
        server = start(folder, port);
      }
    } finally {
      await patient.close();
    }
    assert.ok(pieces >= 8, `${pieces} pieces`);
  });
});
