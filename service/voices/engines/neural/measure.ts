import { setImmediate as pause } from 'node:timers/promises';
import { medianPitch, trackPitch } from '../../../kit/audio/pitch.js';
import type { InstalledVoice } from '../../installed/installed-voice.js';
import type { Measurement } from '../../installed/measurements.js';
import { EspeakChild } from '../espeak/espeak-child.js';
import { testSentences } from '../test-sentences.js';
import { learnedVoice } from './learned/learned-voice.js';
import { untrainedIds } from './learned/untrained.js';
import { NeuralChild, type Sentence, type SentenceSpeaker } from './process/neural-child.js';
import { type Spelling, spellingsOf } from './spelling/spelling.js';
import { untilAborted } from './process/until-aborted.js';
import { VoiceMeter } from './voice-meter.js';

/** Progress of a measurement: sentences done, and sentences in total. */
export type OnMeasured = (done: number, total: number) => void;

/** Milliseconds of a measurement. */
const BUDGET = 10_000;
/** A slow computer needs more: the first sentence prepares the code of the model, so only later ones tell the speed. */
const MIN_SENTENCES = 2;
/** Milliseconds for a sentence, including the loading of the model. */
const TIME_LIMIT = 60_000;
/** Lengths of the sentences in turn, relative to the voice's normal speed. */
const STRETCHES = [1, 1, 1, 0.7, 1, 1, 1.5, 1];
/** Sentences whose pitch is measured, in parts of these seconds: the thread of the service works on other requests in between. */
const PITCHED = 2;
const PITCH_PART = 0.5;

/**
 * Measures the speed, the memory, the loudness and the pace of a voice on this machine, in about 10 seconds at most. An abort ends it
 * at once.
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
  child: Pick<SentenceSpeaker, 'speak' | 'close'>;
  espeak: EspeakChild;
}

/** Measures a voice like `measureVoice`, with processes that the caller closes. */
export async function measureWith(
  { child, espeak }: MeasuringProcesses,
  installed: InstalledVoice,
  signal: AbortSignal,
  onProgress: OnMeasured = () => undefined,
): Promise<Measurement> {
  const end = performance.now() + BUDGET;
  const { voice, ...loaded } = await loadVoice(child, installed, signal);
  const spellings = await spellingsFor(voice, espeak, signal);
  onProgress(0, spellings.length);
  const meter = new VoiceMeter(voice);
  const pitched: Float32Array[] = [];
  for (const [place, spelling] of spellings.entries()) {
    const before = performance.now();
    const sentence = sentenceOf(voice, spelling, place);
    const spoken = await child.speak(sentence, signal);
    if (place === 0) checkSound(spoken.samples);
    meter.add(sentence, spoken);
    if (pitched.length < PITCHED) pitched.push(spoken.samples);
    onProgress(place + 1, spellings.length);
    const now = performance.now();
    const next = now - before - spoken.loadMs;
    if (meter.sentences >= MIN_SENTENCES && now + next > end) break;
  }
  onProgress(spellings.length, spellings.length);
  const figures = meter.figures();
  if (figures === undefined)
    throw new Error(`voice "${voice.name}": it spoke nothing. Install another voice`);
  const { speakers, sampleRate } = voice.config;
  const pitch = speakers.length > 0 ? null : await pitchOf(pitched, sampleRate, signal);
  return { ...figures, ...loaded, pitch };
}

/**
 * Loads the model of a voice with a sentence without sounds.
 * @returns the voice with the symbols that its model learned, and the symbols that it did not
 */
async function loadVoice(
  speaker: Pick<SentenceSpeaker, 'speak'>,
  installed: InstalledVoice,
  signal: AbortSignal,
): Promise<Pick<Measurement, 'untrained'> & { voice: InstalledVoice }> {
  const { model, config } = installed;
  const { phonemeIds, noiseScale, lengthScale, noiseW, sampleRate, speakers } = config;
  const { symbols } = await speaker.speak(
    {
      model,
      ids: ['^', '_', '$'].flatMap((symbol) => phonemeIds.get(symbol) ?? []),
      scales: [noiseScale, lengthScale, noiseW],
      speaker: speakers[0]?.id ?? null,
      sampleRate,
      urgency: 'start',
    },
    signal,
  );
  const untrained = symbols === null ? [] : untrainedIds(symbols, config);
  return { voice: learnedVoice(installed, untrained), untrained };
}

/** Returns the sentences, the shortest first: a slow computer speaks only some of them. */
async function spellingsFor(
  { config, record, name }: InstalledVoice,
  espeak: EspeakChild,
  signal: AbortSignal,
): Promise<Spelling[]> {
  const spellings: Spelling[] = [];
  for (const text of testSentences(record.language)) {
    signal.throwIfAborted();
    const read = (voice: string, texts: string[]) => untilAborted(espeak.phonemes({ voice, texts }), signal);
    spellings.push(...(await spellingsOf(text, record.language, config, read)));
  }
  if (spellings.length > 0) return spellings.toSorted((one, other) => one.ids.length - other.ids.length);
  throw new Error(
    `voice "${name}": its phoneme_id_map contains no sound of its language. Install another voice`,
  );
}

/** Distance of all samples from the first one in audio that counts as silence: 60 dB below full scale. */
const SILENCE = 0.001;

/** @throws Error for a voice that would be installed, but never heard */
function checkSound(samples: Float32Array): void {
  const isSilent = samples.every((sample) => Math.abs(sample - (samples[0] ?? 0)) < SILENCE);
  if (isSilent) throw new Error('the model returns only silence');
}

function sentenceOf({ config, model }: InstalledVoice, { ids }: Spelling, place: number): Sentence {
  const { noiseScale, lengthScale, noiseW, sampleRate, speakers } = config;
  const speaker = speakers[place % Math.max(1, speakers.length)]?.id ?? null;
  const stretch = STRETCHES[place % STRETCHES.length] ?? 1;
  return {
    model,
    ids,
    scales: [noiseScale, lengthScale * stretch, noiseW],
    speaker,
    sampleRate,
    urgency: 'start',
  };
}

/** Returns the median pitch in hertz of some sentences, null if they have none. */
async function pitchOf(
  sentences: readonly Float32Array[],
  sampleRate: number,
  signal: AbortSignal,
): Promise<number | null> {
  const track: number[] = [];
  const length = Math.round(PITCH_PART * sampleRate);
  for (const samples of sentences) {
    for (let start = 0; start < samples.length; start += length) {
      await pause();
      signal.throwIfAborted();
      track.push(...trackPitch(samples.subarray(start, start + length), sampleRate));
    }
  }
  return medianPitch(Float32Array.from(track)) ?? null;
}
