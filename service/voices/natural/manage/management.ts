import type { InstallWork } from './jobs.js';

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

export interface ModelCard {
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

/** The functions of the voice manager that the routes use. */
export interface VoiceManagement {
  available(filter?: { language?: string; search?: string }): readonly ManagedVoice[];
  card(name: string, signal: AbortSignal): Promise<ModelCard>;
  install(name: string, work: InstallWork): Promise<unknown>;
  remove(name: string): Promise<void>;
  refresh(signal: AbortSignal): Promise<unknown>;
}

/** The manager with its folder and its source. */
export interface NaturalVoices {
  manager: VoiceManagement;
  /** Path of the folder of the voices. */
  folder: string;
  /** Packages to install before natural voices can speak; undefined if they can speak. A user may install them at any time. */
  readonly hint: string | undefined;
  /** @throws NaturalVoiceError */
  read(path: string, options: { maxBytes: number; signal: AbortSignal }): Promise<Uint8Array>;
}
