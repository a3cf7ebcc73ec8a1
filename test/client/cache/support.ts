import { readdir } from 'node:fs/promises';
import { AudioStore } from '../../../client/cache/audio-store.js';
import { cacheKey } from '../../../client/cache/cache-key.js';
import type { Spoken } from '../../../client/cache/entry.js';
import { parseAudio } from '../../../client/audio/join.js';
import { wavOf } from '../../support/audio-files.js';

/** Returns the names of the files in a folder or in a folder inside, in order. */
export const namesIn = async (folder: string): Promise<string[]> => (await readdir(folder)).sort();

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
