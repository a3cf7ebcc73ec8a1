import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { saveMeasurement } from '../../../../../service/voices/installed/measurements.js';
import { filesOf } from '../../../../support/natural/voice-repository.js';
import { measurementsIn } from '../../../../../service/voices/installed/folders.js';
import { VoiceLibrary } from '../../../../../service/voices/natural/manage/library.js';

/** The voices of the shipped catalogue, none of them installed. */
export function availableVoices() {
  const [voices, voicesUrl] = ['/nonexistent/voices', '/nonexistent/mirror'];
  return new VoiceLibrary({ voices, data: '/nonexistent', voicesUrl }).available();
}

/** An entry of the file `voices.json` of the voice repository, with invented digests. */
export function entryOfListing(name: string, { speakers = 1 } = {}): object {
  const [locale = '', dataset = '', quality = ''] = name.split('-');
  const folder = `${locale.slice(0, 2)}/${locale}/${dataset}/${quality}`;
  const digit = (index: number) => ((name.length + index) % 16).toString(16).repeat(32);
  const sizes: Array<[string, number]> = [
    [`${name}.onnx`, 60_000_000],
    [`${name}.onnx.json`, 5000],
    ['MODEL_CARD', 300],
  ];
  const files = sizes.map(([file, size], index) => [
    `${folder}/${file}`,
    { size_bytes: size, md5_digest: digit(index) },
  ]);
  return { key: name, num_speakers: speakers, files: Object.fromEntries(files) };
}

/** Returns the path of the model of a voice in a repository on the disk. */
export const modelIn = (repository: string, name: string): string =>
  path.join(repository, filesOf(name)[0] ?? '');

/**
 * Saves figures of a voice as if it was measured, so that its installation takes no time for that.
 * @param model path of NAME.onnx
 */
export function seedMeasurement(data: string, model: string): void {
  saveMeasurement(measurementsIn(data), path.basename(model, '.onnx'), {
    realTimeFactor: 0.2,
    untrained: [],
    memoryBytes: 80_000_000,
    runtime: 'web',
    modelSha256: createHash('sha256').update(readFileSync(model)).digest('hex'),
    at: '2026-11-22T06:00:00.000Z',
    pitch: 180,
    pace: { ids: [], sentence: 0, rounding: 0, frame: 0.01 },
  });
}
