/** The voices that the user can install, as the service lists them. Unknown texts are empty. */
import { fields, isRecord, list, number, text, texts } from '../read.js';

export interface NaturalVoice {
  /** For example `de_DE-thorsten-medium`. */
  name: string;
  title: string;
  /** Two letters. */
  language: string;
  region: string;
  quality: string;
  speakers: number;
  /** Bytes of the download. */
  bytes: number;
  gender: string;
  licence: string;
  isNonCommercial: boolean;
  hasSample: boolean;
  installed: Installed | undefined;
  job: Job | undefined;
}

export interface Installed {
  /** Seconds of computing per second of speech. 0 if not measured. */
  realTimeFactor: number;
  /** False if the voice is too slow for live announcements. */
  isLive: boolean;
  /** 0 if not measured. */
  memoryBytes: number;
  voiceIds: readonly string[];
}

/** An installation on the service. */
export interface Job {
  phase: string;
  bytes: number;
  total: number;
  /** Empty unless the installation failed. */
  error: string;
  isDone: boolean;
}

export interface NaturalVoices {
  /** The reason and the fix if the service cannot speak with natural voices. */
  engineHint: string | undefined;
  folder: string;
  isWritable: boolean;
  /** Undefined if unknown. */
  freeBytes: number | undefined;
  voices: readonly NaturalVoice[];
}

export interface ModelCard {
  text: string;
  licence: string;
  isNonCommercial: boolean;
  /** Digest of the text, which the consent refers to. */
  sha256: string;
  /** Bytes of the download. */
  bytes: number;
}

export function readNaturalVoices(reply: unknown): NaturalVoices {
  const { engine, folder, voices } = fields(reply);
  const { isInstalled, hint } = fields(engine);
  const { path, isWritable, freeBytes } = fields(folder);
  return {
    engineHint: isInstalled === true ? undefined : text(hint),
    folder: text(path),
    isWritable: isWritable === true,
    freeBytes: typeof freeBytes === 'number' ? freeBytes : undefined,
    voices: list(voices).map(readVoice),
  };
}

function readVoice(item: unknown): NaturalVoice {
  const voice = fields(item);
  return {
    name: text(voice['name']),
    title: text(voice['title']) || text(voice['name']),
    language: text(voice['language']),
    region: text(voice['region']),
    quality: text(voice['quality']),
    speakers: number(voice['speakers']),
    bytes: number(voice['bytes']),
    gender: text(voice['gender']),
    licence: text(voice['licence']),
    isNonCommercial: voice['isNonCommercial'] === true,
    hasSample: text(voice['sample']) !== '',
    installed: isRecord(voice['installed']) ? readInstalled(voice['installed']) : undefined,
    job: isRecord(voice['job']) ? readJob(voice['job']) : undefined,
  };
}

function readInstalled(item: unknown): Installed {
  const { realTimeFactor, isLive, memoryBytes, voiceIds } = fields(item);
  return {
    realTimeFactor: number(realTimeFactor),
    isLive: isLive !== false,
    memoryBytes: number(memoryBytes),
    voiceIds: texts(voiceIds),
  };
}

export function readJob(item: unknown): Job {
  const { phase, bytes, total, error, isDone } = fields(item);
  return {
    phase: text(phase),
    bytes: number(bytes),
    total: number(total),
    error: text(error),
    isDone: isDone === true,
  };
}

export function readCard(reply: unknown): ModelCard {
  const card = fields(reply);
  return {
    text: text(card['text']),
    licence: text(card['licence']),
    isNonCommercial: card['isNonCommercial'] === true,
    sha256: text(card['sha256']),
    bytes: number(card['bytes']),
  };
}
