import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { z } from '@herald-speech/client';
import { measureLoudness } from '@herald-speech/client/audio';
import { tokensOf } from '../../../audio/captions/tokens.js';
import { startTimes } from '../../../audio/captions/word-times.js';
import { resample } from '../../../service/kit/audio/resample.js';
import { EspeakChild } from '../../../service/voices/engines/espeak/espeak-child.js';
import { readMeasurement } from '../../../service/voices/installed/measurements.js';
import type { NeuralSpoken } from '../../../service/voices/engines/neural/process/messages.js';
import { NeuralChild } from '../../../service/voices/engines/neural/process/neural-child.js';
import { spellingsOf } from '../../../service/voices/engines/neural/spelling/spelling.js';
import { audibleExtent } from '../../../service/voices/engines/neural/timing.js';
import { measurementsIn, voicesFolder } from '../../../service/voices/installed/folders.js';
import { readVoice } from '../../../service/voices/installed/installed-voice.js';
import { CLI } from '../../support/cli.js';
import { samplesOf, startTestService } from '../../support/service/service.js';
import { never } from '../../support/waiting.js';
import { runPython } from '../support/python.js';
import { correlation, decodedSamples, encodedSamples, wordErrors } from './compare.js';
import { SENTENCES } from './sentences.js';

const JOE = 'en_US-joe-medium';
/** A name outside the catalogue, because the import compares the files of a listed voice with their digests. */
const QUIET = 'en_US-quiet-medium';
/** Hertz of the voice and of the recognizer. */
const [VOICE_RATE, RECOGNIZER_RATE] = [22_050, 16_000];
/** Seconds of silence before the first sound of a sentence. */
const LEAD = 0.05;
/** Samples of a frame of the model. */
const FRAME = 256;

/** Sentences of the tests that look at each word. */
const SOME = SENTENCES.slice(0, 12);
/** Words that may be misunderstood more often than those of the reference program. */
const MORE_ERRORS = 2;

const encoded = z.array(z.string().transform(decodedSamples));
const references = z.object({
  spelled: encoded,
  spoken: encoded,
  ids: z.array(z.array(z.array(z.number()))),
});

describe('the Piper voice joe with its real weights', function () {
  this.timeout(1_800_000);
  let data: string;
  before(async () => {
    data = await mkdtemp(path.join(os.tmpdir(), 'herald-joe-'));
    await importQuiet(data);
  });
  after(() => rm(data, { recursive: true, force: true }));

  const installed = () => readVoice(path.join(voicesFolder(data), QUIET));

  it('is imported by the command, and measured with the WebAssembly runtime', () => {
    const { runtime, pitch } = readMeasurement(measurementsIn(data), QUIET) ?? assert.fail('no measurement');
    assert.equal(runtime, 'web');
    assert.ok(pitch !== null && pitch > 70 && pitch < 200, `${pitch} Hz`);
  });

  it('knows the symbols that the model learned: those of American English', () => {
    const { untrained = [] } = readMeasurement(measurementsIn(data), QUIET) ?? assert.fail('no measurement');
    const { phonemeIds } = installed().config;
    const lost = new Set(untrained);
    const learned = [...phonemeIds]
      .filter(([, ids]) => !ids.some((id) => lost.has(id)))
      .map(([symbol]) => symbol);
    assert.equal(learned.length + untrained.length, phonemeIds.size);
    const expected = `_^$ !,.:;?abdefhijklmnopstuvwxzæðŋɐɑɔəɚɛɜɡɪɹɾʃʊʌʒʔˈˌːθᵻ\u0329\u0303`;
    assert.deepEqual(learned.toSorted(), Array.from(expected).toSorted());
  });

  it('has the phoneme ids of the reference program for 60 sentences', async () => {
    const { config, model } = installed();
    const { ids } = await reference({ model, ids: [], texts: SENTENCES });
    const own: number[][] = [];
    for (const sentence of SENTENCES) own.push(...(await spell(sentence, config)));
    assert.deepEqual(own, ids.flat());
  });

  it('has the samples of the reference program for the same phonemes', async () => {
    const voice = installed();
    const ids = await spell(SENTENCES.slice(0, 4).join(' '), voice.config);
    assert.equal(ids.length, 4);
    const own = await speakIds(voice.model, ids);
    const { spelled } = await reference({ model: voice.model, ids, texts: [] });
    for (const [place, { samples, runtime }] of own.entries()) {
      const other = spelled[place] ?? assert.fail('no samples');
      assert.equal(runtime, 'web');
      assert.equal(samples.length, other.length);
      const equality = correlation(samples, other);
      console.log(`      correlation ${equality}, ${samples.length} samples`);
      assert.ok(equality > 0.9999, `correlation ${equality}`);
    }
  });

  it('has words in captions within 20 ms of the model, and sounds within 40 ms of the audio', async () => {
    const { config, model } = installed();
    const errors: number[] = [];
    const onsets: number[] = [];
    for (const [text, { samples, phonemes }] of zipped(SOME, await speakWithPhonemes(data))) {
      const [ids = []] = await spell(text, config);
      const [spoken] = await speakIds(model, [ids]);
      const { samples: raw, durations } = spoken ?? assert.fail('no audio');
      // The engine moves the sounds: they start after 50 ms of silence.
      const shift = LEAD - audibleExtent(raw, VOICE_RATE).from;
      const wanted = wordStarts(ids, durations ?? assert.fail('no frames')).map((start) => start + shift);
      const caption = { text, start: 0, duration: samples.length / VOICE_RATE, phonemes };
      const got = startTimes(tokensOf(text, 42), caption);
      assert.equal(got.length, wanted.length);
      const differences = zipped(got, wanted).map(([one, other]) => Math.abs(one - other));
      console.log(`      | ${text.padEnd(46)} | ${meanAndWorst(differences)} |`);
      errors.push(...differences);
      onsets.push(Math.abs(firstSound(samples) - (wanted[0] ?? 0)));
    }
    console.log(
      `      ${errors.length} words: ${meanAndWorst(errors)}; first sounds: ${meanAndWorst(onsets)}`,
    );
    assert.ok(Math.max(...errors) <= 0.02);
    assert.ok(Math.max(...onsets) <= 0.04);
  });

  it('starts a long sentence before its end is computed, and prints the figures', async () => {
    const voice = installed();
    for (const count of [10, 40]) {
      const text = `${SOME.join(' ').replaceAll('.', '').toLowerCase().split(' ').slice(0, count).join(' ')}.`;
      const [ids = []] = await spell(text, voice.config);
      const lines = await measured(voice.model, ids);
      console.log(`      ${count} words: ${lines}`);
    }
  });

  it('is as loud as the simple voices: -19 LUFS within 1 LU', async () => {
    // A slow computer measures the loudness in use.
    await speakOverHttp(data);
    const own = await speakOverHttp(data);
    const loudness = measureLoudness(Float32Array.from(own.flatMap((samples) => [...samples])), VOICE_RATE);
    console.log(`      ${loudness} LUFS`);
    assert.ok(Math.abs(loudness + 19) <= 1, `${loudness} LUFS`);
  });

  it('is understood over HTTP as well as the reference program, and speaks as long', async () => {
    const own = await speakOverHttp(data);
    const { spoken } = await reference({ model: installed().model, ids: [], texts: SENTENCES });
    const words = SENTENCES.join(' ').split(' ').length;
    const [errors, expected] = [await errorsOf(own), await errorsOf(spoken)];
    const [seconds, wanted] = [secondsOf(own), secondsOf(spoken)];
    console.log(`      ${errors} word errors in ${words} words, reference ${expected}`);
    console.log(`      ${seconds} s, reference ${wanted} s`);
    assert.ok(errors <= 0.1 * words, `${errors} errors in ${words} words`);
    assert.ok(errors <= expected + MORE_ERRORS, `${errors} errors, reference ${expected}`);
    assert.ok(Math.abs(seconds / wanted - 1) < 0.1, `${seconds} of ${wanted} seconds`);
  });
});

/** Imports a copy of the voice of the Python package. Without noise, its model has one result for each input. */
async function importQuiet(data: string): Promise<void> {
  const source = path.join(data, 'source');
  await cp(await runPython(['voices', 'packages.py'], null, z.string()), source, { recursive: true });
  for (const ending of ['onnx', 'onnx.json'])
    await rename(path.join(source, `${JOE}.${ending}`), path.join(source, `${QUIET}.${ending}`));
  await withoutNoise(path.join(source, `${QUIET}.onnx.json`));
  await promisify(execFile)(process.execPath, [CLI, 'voices', 'import', source, '--data', data], {
    timeout: 600_000,
    env: { ...process.env, NODE_OPTIONS: '' },
  });
}

async function withoutNoise(file: string): Promise<void> {
  const config = z
    .looseObject({ inference: z.looseObject({}) })
    .parse(JSON.parse(await readFile(file, 'utf8')));
  const inference = { ...config.inference, noise_scale: 0, noise_w: 0 };
  await writeFile(file, JSON.stringify({ ...config, inference }));
}

type Config = ReturnType<typeof readVoice>['config'];

async function spell(text: string, config: Config): Promise<number[][]> {
  const espeak = new EspeakChild();
  try {
    const read = (voice: string, texts: string[]) => espeak.phonemes({ voice, texts });
    return (await spellingsOf(text, 'en', config, read)).map(({ ids }) => ids);
  } finally {
    await espeak.close();
  }
}

async function speakIds(model: string, sentences: readonly number[][]): Promise<NeuralSpoken[]> {
  const child = new NeuralChild({ timeLimit: 60_000 });
  try {
    const speak = (ids: number[]) =>
      child.speak(
        { model, ids, scales: [0, 1, 0], speaker: null, sampleRate: VOICE_RATE, urgency: 'start' },
        never,
      );
    return await Promise.all(sentences.map(speak));
  } finally {
    await child.close();
  }
}

/** Speaks a sentence three times. Returns the figures of the last run, when the code of the runtime is optimized. */
async function measured(model: string, ids: number[]): Promise<string> {
  const child = new NeuralChild({ timeLimit: 60_000 });
  try {
    const sentence = {
      model,
      ids,
      scales: [0, 1, 0] as [number, number, number],
      speaker: null,
      sampleRate: VOICE_RATE,
      urgency: 'start' as const,
    };
    await child.speak(sentence, never);
    await child.speak(sentence, never);
    const pid = child.pid ?? assert.fail('no process');
    const [start, cpu] = [performance.now(), cpuSeconds(pid)];
    const arrivals: number[] = [];
    const { samples } = await child.speak(sentence, never, () => arrivals.push(performance.now() - start));
    assert.ok(arrivals.length > 1);
    const perSecond = ((cpuSeconds(pid) - cpu) * VOICE_RATE) / samples.length;
    const [memory = ''] =
      /\d+/.exec(/^Pss:.*$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[0] ?? '') ?? [];
    const [first = 0, last = 0] = [arrivals[0], arrivals.at(-1)];
    return (
      `first audio ${first.toFixed()} ms, all ${last.toFixed()} ms, ` +
      `${perSecond.toFixed(2)} s of processor for a second, ${Math.round(Number(memory) / 1024)} MB`
    );
  } finally {
    await child.close();
  }
}

/** Processor time of a process. Linux counts it in 1/100 s. */
function cpuSeconds(pid: number): number {
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const [user, system] = fields.split(' ').slice(11, 13).map(Number);
  return ((user ?? 0) + (system ?? 0)) / 100;
}

const reference = (wanted: { model: string; ids: number[][]; texts: readonly string[] }) =>
  runPython(['voices', 'reference.py'], wanted, references);

/** Speaks each sentence with a service and its HTTP interface. */
async function speakOverHttp(data: string): Promise<Float32Array[]> {
  const service = await startTestService({ data, speech: { size: 1, timeLimit: 60_000 } });
  try {
    const all: Float32Array[] = [];
    for (const text of SENTENCES) {
      const reply = await service.send('POST', `/v1/text-to-speech/${QUIET}`, { text, language: 'en' });
      assert.equal(reply.status, 200);
      const { samples, sampleRate } = samplesOf(new Uint8Array(await reply.arrayBuffer()));
      assert.equal(sampleRate, VOICE_RATE);
      all.push(samples);
    }
    return all;
  } finally {
    await service.close();
  }
}

const spokenJson = z.object({
  audio_base64: z.string(),
  phonemes: z.object({
    symbols: z.array(z.string()),
    start_times_seconds: z.array(z.number()),
    durations_seconds: z.array(z.number()),
  }),
});

/** Speaks each sentence with a service and the phonemes of its interface. */
async function speakWithPhonemes(data: string) {
  const service = await startTestService({ data, speech: { size: 1, timeLimit: 60_000 } });
  try {
    const all = [];
    for (const text of SOME) {
      const body = { text, language: 'en', include_phonemes: true };
      const reply = await service.send('POST', `/v1/text-to-speech/${QUIET}`, body);
      const { audio_base64: audio, phonemes } = spokenJson.parse(await reply.json());
      all.push({ samples: samplesOf(Buffer.from(audio, 'base64')).samples, phonemes });
    }
    return all;
  } finally {
    await service.close();
  }
}

/** Ids of the voice for the end of a word, the pad, and the sounds of "the" and "of a". */
const [GAP, PAD, ETH, SCHWA, V] = [3, 0, 41, 59, 34];

/**
 * Returns the seconds at which the model starts each word: after a space, and inside of joined words such as "on the" at the sounds
 * of the second one.
 */
function wordStarts(ids: readonly number[], durations: Float32Array): number[] {
  const sounds = ids.map((id, place) => ({ id, place })).filter(({ id }) => id !== PAD);
  const starts = sounds.filter(({ id }, index) => {
    const [before, next, last] = [sounds[index - 1]?.id, sounds[index + 1]?.id, sounds[index - 2]?.id];
    const isJoined = (id === ETH && next === SCHWA) || (id === SCHWA && before === V && last === SCHWA);
    return index === 1 || before === GAP || isJoined;
  });
  const secondsBefore = (place: number) =>
    (durations.slice(0, place).reduce((sum, frames) => sum + frames, 0) * FRAME) / VOICE_RATE;
  return starts.map(({ place }) => secondsBefore(place));
}

/** Returns the seconds before the first sample over -34 dB of the loudest one. */
function firstSound(samples: Float32Array): number {
  const loudest = samples.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0);
  return samples.findIndex((sample) => Math.abs(sample) > 0.02 * loudest) / VOICE_RATE;
}

const zipped = <One, Other>(ones: readonly One[], others: readonly Other[]): [One, Other][] =>
  ones.flatMap((one, place) => others.slice(place, place + 1).map((other): [One, Other] => [one, other]));

function meanAndWorst(seconds: readonly number[]): string {
  const mean = seconds.reduce((sum, value) => sum + value, 0) / seconds.length;
  return `mean ${(1000 * mean).toFixed(1)} ms, worst ${(1000 * Math.max(...seconds)).toFixed(1)} ms`;
}

/** Returns the number of words that the recognizer heard wrong, not at all, or in addition. */
async function errorsOf(audio: readonly Float32Array[]): Promise<number> {
  const input = audio.map((samples) =>
    encodedSamples(resample(toInt16(samples), VOICE_RATE, RECOGNIZER_RATE)),
  );
  const heard = await runPython(['voices', 'recognize.py'], input, z.array(z.string()));
  return SENTENCES.reduce((sum, sentence, place) => sum + wordErrors(sentence, heard[place] ?? ''), 0);
}

const toInt16 = (samples: Float32Array): Int16Array =>
  Int16Array.from(samples, (sample) => Math.max(-32_768, Math.min(32_767, Math.round(sample * 32_768))));

/** Returns the seconds of the sounds, without the silence before and after them. */
const secondsOf = (audio: readonly Float32Array[]): number =>
  audio.reduce((sum, samples) => {
    const { from, to } = audibleExtent(samples, VOICE_RATE);
    return sum + to - from;
  }, 0);
