import { voiceIdsOf } from '../../engines/neural/voices.js';
import type { InstalledVoice } from '../../installed/installed-voice.js';
import { isLive, measurementOf } from '../../installed/measurements.js';

/** A voice of the catalogue of natural voices, with its state on this computer. */
export interface ManagedVoice {
  name: string;
  title: string;
  /** Two-letter code. */
  language: string;
  region: string;
  quality: string;
  speakers: number;
  /** Size of the files. */
  bytes: number;
  gender: string | null;
  licence: string | null;
  isNonCommercial: boolean | null;
  /** Path of the sample in the voice repository. */
  sample: string | null;
  installed: null | {
    /** ISO 8601 time. */
    at: string;
    licence: string | null;
    realTimeFactor: number | null;
    isLive: boolean | null;
    memoryBytes: number | null;
    voiceIds: readonly string[];
  };
}

export interface ModelCardReply {
  text: string;
  licence: string | null;
  isNonCommercial: boolean;
  sha256: string;
  /** Size of the voice's files. */
  bytes: number;
}

/** The result of a refresh. */
export interface RefreshResult {
  /** Number of voices in the new catalogue. */
  voices: number;
  /** Names of invalid entries, which are left out. */
  invalid: string[];
}

/** @param measurements the folder of the measurements */
export function installedStateOf(
  installed: InstalledVoice,
  measurements: string,
): NonNullable<ManagedVoice['installed']> {
  const { licence, installedAt: at } = installed.record;
  const figures = measurementOf(measurements, installed);
  return {
    at,
    licence,
    realTimeFactor: figures?.realTimeFactor ?? null,
    isLive: figures === undefined ? null : isLive(figures),
    memoryBytes: figures?.memoryBytes ?? null,
    voiceIds: voiceIdsOf(installed),
  };
}
