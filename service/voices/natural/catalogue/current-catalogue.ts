import { statSync } from 'node:fs';
import { type ListedFacts, type InstallableVoice, shippedCatalogue, toCatalogue } from './catalogue.js';
import { readSavedCatalogue, savedCatalogueFile, saveCatalogue } from './saved-catalogue.js';

export interface InstallableVoices {
  voices: readonly InstallableVoice[];
  /** Date of the refreshed catalogue, ISO 8601; null for the catalogue of this version. */
  date: string | null;
  /** A message if the refreshed catalogue is damaged. */
  problem?: string;
}

/** The refreshed catalogue, or the catalogue of this version if the user never refreshed it. */
export class CurrentCatalogue {
  readonly #file: string;
  #stamp: string | undefined;
  #catalogue: InstallableVoices = { voices: [], date: null };

  /** @param data the data folder */
  constructor(data: string) {
    this.#file = savedCatalogueFile(data);
  }

  /** Checks the file at each call, because another process can refresh the catalogue. */
  current(): InstallableVoices {
    const stats = statSync(this.#file, { throwIfNoEntry: false });
    const stamp = `${stats?.mtimeMs} ${stats?.size} ${stats?.ino}`;
    if (this.#stamp !== stamp) this.#catalogue = load(this.#file);
    this.#stamp = stamp;
    return this.#catalogue;
  }

  /** Replaces the catalogue. @throws NaturalVoiceError `disk` or `read-only` */
  async save(voices: Readonly<Record<string, ListedFacts>>): Promise<void> {
    await saveCatalogue(this.#file, { at: new Date().toISOString(), voices });
  }
}

function load(file: string): InstallableVoices {
  const refreshed = readSavedCatalogue(file);
  if (typeof refreshed === 'object') return { voices: toCatalogue(refreshed.voices), date: refreshed.at };
  const problem = refreshed === undefined ? {} : { problem: refreshed };
  return { voices: shippedCatalogue(), date: null, ...problem };
}
