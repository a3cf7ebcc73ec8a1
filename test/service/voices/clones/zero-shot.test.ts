import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { operations } from '@herald-speech/client';
import { medianPitch, trackPitch } from '../../../../service/kit/audio/pitch.js';
import { samplesOf, startTestService, type TestService, toneFile } from '../../../support/service/service.js';

const engines = [path.join(__dirname, '..', 'engines', 'plug-ins', 'mockingbird.mjs')];
const PITCH = 233;
const SECONDS = 1.5;

describe('custom voices with an engine that clones voices', () => {
  let data: string;
  let service: TestService;
  beforeEach(async () => {
    data = await mkdtemp(path.join(os.tmpdir(), 'herald-zero-shot-'));
    service = await startTestService({ data, engines });
  });
  afterEach(async () => {
    await service.close();
    await rm(data, { recursive: true });
  });

  async function clone(): Promise<string> {
    const form = new FormData();
    form.append('name', 'Me');
    form.append('description', 'My own voice');
    form.append('files', new Blob([toneFile(PITCH, SECONDS)]), 'me.wav');
    const reply = await service.send('POST', '/v1/custom-voices/cloned-voice', form);
    return operations.createClonedVoice.response.parse(await reply.json()).voice_id;
  }
  const speak = (voice: string, body: object, form = '') =>
    service.send('POST', `/v1/text-to-speech/${voice}${form}`, body);
  const restart = async (options: { engines?: string[] }) => {
    await service.close();
    service = await startTestService({ data, ...options });
  };
  const isTheSample = async (reply: Response, words: number) => {
    assert.equal(reply.status, 200);
    const { samples, sampleRate } = samplesOf(new Uint8Array(await reply.arrayBuffer()));
    assert.equal(sampleRate, 16_000);
    assert.equal(samples.length, words * SECONDS * 16_000);
    assert.ok(Math.abs((medianPitch(trackPitch(samples, sampleRate)) ?? 0) - PITCH) < 5);
  };

  it('passes the whole sample to the engine for each request', async () => {
    const voice = await clone();
    const first = await speak(voice, { text: 'Hello', language: 'en' });
    assert.equal(first.headers.get('x-voice-approximate'), null);
    await isTheSample(first, 1);
    await isTheSample(await speak(voice, { text: 'Hello again', language: 'ko' }), 2);
    await isTheSample(await speak(voice, { text: 'Hello', language: 'en' }, '/stream'), 1);
    const predicted = await service.send('POST', `/v1/predict-duration/${voice}`, {
      text: 'Hello again',
      language: 'en',
    });
    assert.deepEqual(await predicted.json(), { duration: 2 * SECONDS });
  });

  it('adds no note about an approximation to the description', async () => {
    const reply = await service.send('GET', `/v1/custom-voices/${await clone()}`);
    assert.equal((await reply.json()).description, 'My own voice');
  });

  it('approximates the voice in a language that the engine lacks, and without the engine', async () => {
    const voice = await clone();
    assert.equal((await speak(voice, { text: 'Guten Tag', language: 'de' })).status, 200);
    await restart({});
    const reply = await speak(voice, { text: 'Hello', language: 'en' });
    assert.equal(reply.status, 200);
    assert.notEqual(Number(reply.headers.get('x-audio-length')), SECONDS);
  });

  it('clones a voice from the stored sample if the engine is added later', async () => {
    await restart({});
    const voice = await clone();
    await restart({ engines });
    await isTheSample(await speak(voice, { text: 'Hello', language: 'en' }), 1);
  });
});
