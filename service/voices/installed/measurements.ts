import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { writeWholeSync } from '@herald-speech/client/files';
import { lazy } from '@herald-speech/client/interface';
import type * as zod from 'zod';
import { asNaturalVoiceError } from './errors.js';
import type { InstalledVoice } from './installed-voice.js';
import { fileNamesOf } from './voice-name.js';

/** Maximum real-time factor of a voice for live announcements. */
const LIVE_FACTOR = 0.7;
/** Sentences of a measurement that tell the speed. */
export const ENOUGH_SENTENCES = 4;
/** A slow or busy computer speaks fewer in 10 seconds, before the code of the model is fast: up to this factor, the voice may be. */
const UNSURE_FACTOR = 2 * LIVE_FACTOR;

/** Built at the first measurement: each worker reads this file, and most machines have no natural voice. */
const measurement = lazy(() => {
  const { z }: typeof zod = require('zod');
  const seconds = z.number().min(-10).max(10);
  return z.object({
    /** Seconds of computation for a second of audio. */
    realTimeFactor: z.number().positive(),
    /** Spoken sentences. Measurements of earlier versions have none. */
    sentences: z.number().optional(),
    /** Resident memory of the process with this model, in bytes. */
    memoryBytes: z.number().min(0),
    /** `native` is onnxruntime-node, `web` is onnxruntime-web. */
    runtime: z.enum(['web', 'native']),
    /** Digest of the model file. The measurement counts for this file only. */
    modelSha256: z.string(),
    /** ISO 8601. */
    at: z.iso.datetime(),
    /** Typical pitch in hertz, null if the audio has none. */
    pitch: z.number().positive().nullable(),
    /** LUFS before any gain, by the id of the speaker, 0 for a voice with one speaker. Older measurements have none. */
    loudness: z.record(z.string(), z.number()).optional(),
    /** Ids of the symbols that the model never learned. Older measurements have none. */
    untrained: z.array(z.int().min(0)).max(10_000).optional(),
    pace: z.object({
      ids: z.array(seconds).max(10_000),
      sentence: seconds,
      rounding: seconds,
      frame: z.number().min(0).max(1),
    }),
  });
});

/** Figures of a natural voice on this machine. */
export type Measurement = zod.output<ReturnType<typeof measurement>>;

/**
 * Returns the saved measurement of a voice.
 * @param folder the folder of the measurements
 * @returns undefined if the measurement is missing or damaged
 */
export function readMeasurement(folder: string, name: string): Measurement | undefined {
  try {
    return measurement().parse(JSON.parse(readFileSync(fileOf(folder, name), 'utf8')));
  } catch {
    return undefined;
  }
}

/** Returns the saved measurement of a voice, or undefined if it belongs to another model file. */
export function measurementOf(folder: string, { name, record }: InstalledVoice): Measurement | undefined {
  const found = readMeasurement(folder, name);
  const digest = record.files[fileNamesOf(name).model]?.sha256;
  return found !== undefined && found.modelSha256 === digest ? found : undefined;
}

/** Whether a voice is fast enough for live announcements. */
export function isLive({
  realTimeFactor,
  sentences = ENOUGH_SENTENCES,
}: Pick<Measurement, 'realTimeFactor' | 'sentences'>): boolean {
  return realTimeFactor <= (sentences < ENOUGH_SENTENCES ? UNSURE_FACTOR : LIVE_FACTOR);
}

/** Saves a measurement. The file appears by one rename, so a reader never sees a part of it. @throws NaturalVoiceError */
export function saveMeasurement(folder: string, name: string, figures: Measurement): void {
  mkdirSync(folder, { recursive: true });
  try {
    writeWholeSync(fileOf(folder, name), JSON.stringify(figures));
  } catch (error) {
    throw asNaturalVoiceError(error, `measurement of ${name}`);
  }
}

function fileOf(folder: string, name: string): string {
  return path.join(folder, `${name}.json`);
}
