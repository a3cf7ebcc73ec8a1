import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { AudioStore } from '../../../client/cache/audio-store.js';
import { cacheKey } from '../../../client/cache/cache-key.js';
import type { Spoken } from '../../../client/cache/entry.js';
import { parseAudio } from '../../../client/audio/join.js';
import { wavOf } from '../../support/audio-files.js';

/** Creates a folder for each test of a suite, and removes it after the test. */
export function useFolder() {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'herald-cache-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
  return {
    path: () => folder,
    file: (...names: string[]) => path.join(folder, ...names),
    /** The names of the files in the folder or in a folder inside, in order. */
    names: async (...names: string[]) => (await readdir(path.join(folder, ...names))).sort(),
  };
}

/** Speech of some seconds as a checked reply. */
export function speechOf(seconds: number, facts: Partial<Spoken['value']> = {}): Spoken {
  const audio = wavOf({ seconds });
  const value = { audio, format: 'wav' as const, mime: 'audio/wav', duration: seconds, ...facts };
  return { value, audio: parseAudio(audio), bytes: audio.length };
}

/** Returns the key of a text. */
export const keyOf = (text: string): string => cacheKey('http://service', { text });

/** Runs `work` with the store of a folder, and closes the store. */
export async function withStore<Result>(
  folder: string,
  work: (store: AudioStore) => Promise<Result>,
  maxBytes = 256_000_000,
): Promise<Result> {
  const store = new AudioStore(folder, maxBytes);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
