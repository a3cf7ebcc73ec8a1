import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isErrno, writeWhole } from '@herald-speech/client/files';
import { z } from 'zod';
import { makeStoreFolder } from '../../../kit/make-store-folder.js';
import { type ListedFacts, listing, toRow } from './catalogue.js';
import { asNaturalVoiceError } from '../../installed/errors.js';

/** A catalogue that the user loaded from the voice repository. */
export interface SavedCatalogue {
  /** ISO 8601 time. */
  at: string;
  voices: Readonly<Record<string, ListedFacts>>;
}

const savedShape = z.object({ at: z.iso.datetime(), voices: listing });

/** Returns the file of the refreshed catalogue in a data folder. */
export const savedCatalogueFile = (data: string): string => path.join(data, 'natural-catalogue.json');

/**
 * Reads the refreshed catalogue.
 * @returns undefined if the user never loaded a catalogue; a message for the user if it is damaged
 */
export function readSavedCatalogue(file: string): SavedCatalogue | string | undefined {
  try {
    return savedShape.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined;
    return `${file}: damaged, so the catalogue of this version applies. Refresh the catalogue`;
  }
}

/** Saves a refreshed catalogue. The file appears by one rename. @throws NaturalVoiceError `disk` or `read-only` */
export async function saveCatalogue(file: string, { at, voices }: SavedCatalogue): Promise<void> {
  const rows = Object.entries(voices).map(([name, voice]) => [name, toRow(voice)]);
  try {
    await makeStoreFolder(path.dirname(file));
    await writeWhole(file, JSON.stringify({ at, voices: Object.fromEntries(rows) }), { flush: true });
  } catch (error) {
    throw asNaturalVoiceError(error, file);
  }
}
