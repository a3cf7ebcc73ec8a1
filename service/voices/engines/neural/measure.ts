import { setImmediate as pause } from 'node:timers/promises';
import { medianPitch, trackPitch } from '../../../kit/audio/pitch.js';
import type { InstalledVoice } from '../../installed/installed-voice.js';
import type { VoiceConfig } from '../../installed/voice-config.js';
import { fileNamesOf } from '../../installed/voice-name.js';
import { EspeakChild } from '../espeak/espeak-child.js';
import type { Measurement } from '../../installed/measurements.js';
import { SpeakerLoudness } from './loudness.js';
import type { NeuralSpoken } from './messages.js';
import { NeuralChild, type SentenceSpeaker } from './neural-child.js';
import { loadVoice } from './learned/load-voice.js';
import { calibrationTexts } from './pace/calibration-texts.js';
import { fitPace, type PaceSample } from './pace/fit-pace.js';
import { predictSeconds as predictedSeconds } from './pace/pace.js';
import { type Spelling, spellingsOf } from './spelling.js';
import { untilAborted } from './until-aborted.js';

/** Progress of a measurement: sentences done, and sentences in total. */
export type OnMeasured = (done: number, total: number) => void;

/** Sentences of a measurement. */
const SENTENCES = 96;
/** Milliseconds after which a slow computer measures no further sentence, and the minimum number of sentences. */
const BUDGET = 45_000;
const MIN_SENTENCES = 3;
/** Milliseconds for a sentence, including the loading of the model. */
const TIME_LIMIT = 60_000;
/** Lengths of the sentences in turn, relative to the voice's normal speed. */
const STRETCHES = [1, 1, 1, 0.8, 1, 1, 1, 1.25, 1, 1, 1, 0.6, 1, 1, 1, 1.6];
/** After each group of sentences, the measurement ends if the pace predicts each of them with this error at most. */
const GROUP = 12;
const STABLE = 0.03;
/** Sentences before that: fewer do not contain all sounds of a language. */
const MIN_STABLE = 60;
/** Sentences whose pitch is measured, in parts of these seconds: the thread of the service works on other requests in between. */
const PITCHED = 4;
const PITCH_PART = 0.5;

/**
 * Measures the speed, the memory and the pace of a voice on this machine, in about a minute at most. An abort ends it at once.
 * @param native folder of the native runtime, see `NaturalFolders`
 * @throws the reason of the signal; Error if the voice cannot speak
 */
export async function measureVoice(
  voice: InstalledVoice,
  signal: AbortSignal,
  onProgress: OnMeasured = () => undefined,
  native?: string,
): Promise<Measurement> {
  signal.throwIfAborted();
  const child = new NeuralChild({ timeLimit: TIME_LIMIT, native });
  const espeak = new EspeakChild();
  try {
    return await measureWith({ child, espeak }, voice, signal, onProgress);
  } finally {
    await Promise.all([child.close(), espeak.close()]);
  }
}

/** The processes of a measurement. */
export interface MeasuringProcesses {
  child: SentenceSpeaker;
  espeak: EspeakChild;
}

/** Measures a voice like `measureVoice`, with processes that the caller closes. */
export async function measureWith(
  { child, espeak }: MeasuringProcesses,
  installed: InstalledVoice,
  signal: AbortSignal,
  onProgress: OnMeasured = () => undefined,
): Promise<Measurement> {
  const { voice, ...loaded } = await loadVoice(child, installed, signal);
  const spellings = await spellingsFor(voice, espeak, signal);
  const { first, all } = await speakAll(voice, spellings, child, signal, onProgress);
  const { speakers, sampleRate } = voice.config;
  const pitch = speakers.length > 0 ? null : await pitchOf(all, sampleRate, signal);
  return { ...measurementOf(voice, first, all), ...loaded, pitch };
}

async function spellingsFor(
  { config, record, name }: InstalledVoice,
  espeak: EspeakChild,
  signal: AbortSignal,
): Promise<Spelling[]> {
  const spellings: Spelling[] = [];
  for (const text of calibrationTexts(record.language, SENTENCES)) {
    signal.throwIfAborted();
    const read = (voice: string, texts: string[]) => untilAborted(espeak.phonemes({ voice, texts }), signal);
    spellings.push(...(await spellingsOf(text, record.language, config, read)));
  }
  if (spellings.length > 0) return spellings;
  throw new Error(
    `voice "${name}": its phoneme_id_map contains no sound of its language. Install another voice`,
  );
}

interface Spoken extends NeuralSpoken {
  spelling: Spelling;
  stretch: number;
  speaker: number | null;
}

/** Distance of all samples from the first one in audio that counts as silence: 60 dB below full scale. */
const SILENCE = 0.001;

/** @throws Error for a voice that would be installed, but never heard */
function checkSound(samples: Float32Array): void {
  const isSilent = samples.every((sample) => Math.abs(sample - (samples[0] ?? 0)) < SILENCE);
  if (isSilent) throw new Error('the model returns only silence');
}

/** Speaks the first sentence twice, because the first run of a model takes longer. */
async function speakAll(
  { config, model }: InstalledVoice,
  spellings: readonly Spelling[],
  child: SentenceSpeaker,
  signal: AbortSignal,
  onProgress: OnMeasured,
): Promise<{ first: NeuralSpoken; all: Spoken[] }> {
  const { noiseScale, lengthScale, noiseW, sampleRate, speakers } = config;
  const speakerAt = (place: number) => speakers[place % Math.max(1, speakers.length)]?.id ?? null;
  const say = ({ ids }: Pick<Spelling, 'ids'>, stretch: number, speaker: number | null) => {
    const scales: [number, number, number] = [noiseScale, lengthScale * stretch, noiseW];
    return child.speak({ model, ids, scales, speaker, sampleRate, urgency: 'start' }, signal);
  };
  const first = await say(spellings[0] ?? { ids: [] }, 1, speakerAt(0));
  checkSound(first.samples);
  const end = performance.now() + BUDGET;
  const all: Spoken[] = [];
  for (const [place, spelling] of spellings.entries()) {
    if (place >= MIN_SENTENCES && performance.now() > end) break;
    const stretch = STRETCHES[place % STRETCHES.length] ?? 1;
    const speaker = speakerAt(place);
    all.push({ ...(await say(spelling, stretch, speaker)), spelling, stretch, speaker });
    onProgress(place + 1, spellings.length);
    if (all.length % GROUP === 0 && isStable(config, all)) break;
  }
  onProgress(spellings.length, spellings.length);
  return { first, all };
}

function measurementOf(
  { config, record, name }: InstalledVoice,
  first: NeuralSpoken,
  all: readonly Spoken[],
): Omit<Measurement, 'pitch'> {
  const secondsOf = ({ samples }: NeuralSpoken) => samples.length / config.sampleRate;
  const audio = all.reduce((sum, spoken) => sum + secondsOf(spoken), 0);
  const work = all.reduce((sum, { runMs }) => sum + runMs / 1000, 0);
  return {
    realTimeFactor: Math.max(0.001, work / audio),
    memoryBytes: all.reduce((max, { memoryBytes }) => Math.max(max, memoryBytes), first.memoryBytes),
    loadSeconds: first.loadMs / 1000,
    runtime: first.runtime,
    modelSha256: record.files[fileNamesOf(name).model]?.sha256 ?? '',
    at: new Date().toISOString(),
    loudness: loudnessIn(config, all),
    pace: fitPace(config, samplesOf(config, all)),
  };
}

function loudnessIn({ sampleRate }: VoiceConfig, all: readonly Spoken[]): Record<string, number> {
  const loudness = new SpeakerLoudness(sampleRate);
  for (const { samples, speaker } of all) loudness.add(speaker, samples);
  return loudness.lufs();
}

/** Whether a pace without the last group of sentences predicts their lengths. */
function isStable(config: VoiceConfig, all: readonly Spoken[]): boolean {
  const samples = samplesOf(config, all);
  const [earlier, last] = [samples.slice(0, -GROUP), samples.slice(-GROUP)];
  if (earlier.length < MIN_STABLE) return false;
  const pace = fitPace(config, earlier);
  return last.every(
    ({ ids, stretch, seconds }) => Math.abs(predictedSeconds(pace, ids, stretch) / seconds - 1) <= STABLE,
  );
}

function samplesOf({ sampleRate }: VoiceConfig, all: readonly Spoken[]): PaceSample[] {
  return all.map(({ spelling: { ids }, stretch, samples }) => ({
    ids,
    stretch,
    seconds: samples.length / sampleRate,
  }));
}

/** Returns the median pitch in hertz of some sentences, null if they have none. */
async function pitchOf(
  all: readonly Spoken[],
  sampleRate: number,
  signal: AbortSignal,
): Promise<number | null> {
  const track: number[] = [];
  const length = Math.round(PITCH_PART * sampleRate);
  for (const { samples } of all.slice(0, PITCHED)) {
    for (let start = 0; start < samples.length; start += length) {
      await pause();
      signal.throwIfAborted();
      track.push(...trackPitch(samples.subarray(start, start + length), sampleRate));
    }
  }
  return medianPitch(Float32Array.from(track)) ?? null;
}
