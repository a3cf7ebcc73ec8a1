import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseName, pathsOf } from '../../../service/voices/natural/catalogue/catalogue.js';
import { LISTING } from '../../../service/voices/natural/catalogue/listing.js';
import { saveMeasurement } from '../../../service/voices/installed/measurements.js';
import { measurementsIn } from '../../../service/voices/installed/folders.js';
import { toneFile } from '../service/service.js';
import { type StubVoice, writeStubVoice } from './stub-voice.js';
import { md5Of } from './voice-mirror.js';

/**
 * Writes a voice repository with stub voices to a folder: the listing `voices.json`, and for each voice the model, the
 * configuration, the model card and a sample, which is a tone of one second.
 */
export async function writeRepository(folder: string, voices: readonly StubVoice[]): Promise<void> {
  const entries = await Promise.all(voices.map((voice) => writeVoice(folder, voice)));
  await writeFile(path.join(folder, LISTING), JSON.stringify(Object.fromEntries(entries)));
}

/** Returns the paths of a voice's model, configuration and model card in a repository. */
export function filesOf(name: string): string[] {
  const parts = parseName(name);
  if (parts === undefined) throw new Error(`${name}: expected the name of a natural voice`);
  return pathsOf(name, parts);
}

async function writeVoice(folder: string, voice: StubVoice): Promise<[string, object]> {
  const names = filesOf(voice.name);
  const place = path.join(folder, path.dirname(names[0] ?? ''));
  await writeStubVoice(place, voice);
  await mkdir(path.join(place, 'samples'));
  await writeFile(path.join(place, 'samples', 'speaker_0.mp3'), toneFile(300, 1));
  const files = await Promise.all(names.map((name) => describe(folder, name)));
  const num_speakers = Math.max(1, voice.speakers?.length ?? 1);
  return [voice.name, { key: voice.name, num_speakers, files: Object.fromEntries(files) }];
}

async function describe(folder: string, name: string): Promise<[string, object]> {
  const content = await readFile(path.join(folder, name));
  return [name, { size_bytes: content.length, md5_digest: md5Of(content) }];
}

/** Real-time factor of `skipMeasurement`: 3.2 times faster than real time. */
const FACTOR = 0.3125;

/** Saves a measurement of a voice of the repository. Its installation then skips the measurement, which takes seconds. */
export async function skipMeasurement(repository: string, data: string, name: string): Promise<void> {
  const model = await readFile(path.join(repository, filesOf(name)[0] ?? ''));
  saveMeasurement(measurementsIn(data), name, {
    realTimeFactor: FACTOR,
    memoryBytes: 181_000_000,
    runtime: 'web',
    modelSha256: createHash('sha256').update(model).digest('hex'),
    at: '2026-01-01T00:00:00.000Z',
    pitch: null,
    untrained: [],
    pace: { ids: [], sentence: 0, rounding: 0, frame: 0 },
  });
}
