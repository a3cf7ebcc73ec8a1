/** Natural voices that a user can install: parses the replies of the runtime. */
import type { Reply } from '../runtime.js';
import { fieldsOf, textOf } from '../text.js';

/** The state of an installation. */
export interface Job {
  /** `card`, `download`, `check` or `measure`. */
  phase: string;
  bytes: number;
  total: number;
  /** The reason of a failure; '' without one. */
  error: string;
  isDone: boolean;
}

export interface NaturalVoice {
  name: string;
  /** The name for people, such as `Thorsten`. */
  title: string;
  /** Two-letter code. */
  language: string;
  region: string;
  /** `x_low`, `low`, `medium` or `high`. */
  quality: string;
  speakers: number;
  bytes: number;
  gender: string;
  /** '' if unknown before the model card is read. */
  licence: string;
  isNonCommercial: boolean;
  hasSample: boolean;
  installed: { isLive: boolean; voiceIds: readonly string[] } | undefined;
  job: Job | undefined;
}

/** The reply of the endpoint `natural-voices`. */
export interface NaturalList {
  isEngineInstalled: boolean;
  /** How to add the engine, in the words of the service. */
  hint: string;
  /** The folder of the voices. */
  folder: string;
  isWritable: boolean;
  /** The folder in which the user installs packages; '' for a hosted service. */
  userDir: string;
  voices: readonly NaturalVoice[];
}

export function listIn(reply: Reply): NaturalList {
  const [engine, folder] = [fieldsOf(reply.get('engine')), fieldsOf(reply.get('folder'))];
  return {
    isEngineInstalled: engine.get('isInstalled') === true,
    hint: textOf(engine.get('hint')),
    folder: textOf(folder.get('path')),
    isWritable: folder.get('isWritable') === true,
    userDir: textOf(reply.get('userDir')),
    voices: listOf(reply.get('voices')).map(voiceIn),
  };
}

function voiceIn(value: unknown): NaturalVoice {
  const fields = fieldsOf(value);
  const text = (name: string) => textOf(fields.get(name));
  const job = fieldsOf(fields.get('job'));
  const installed = fieldsOf(fields.get('installed'));
  return {
    name: text('name'),
    title: text('title') || text('name'),
    language: text('language'),
    region: text('region'),
    quality: text('quality'),
    speakers: numberIn(fields, 'speakers'),
    bytes: numberIn(fields, 'bytes'),
    gender: text('gender'),
    licence: textOf(installed.get('licence')) || text('licence'),
    isNonCommercial: fields.get('isNonCommercial') === true,
    hasSample: text('sample') !== '',
    installed: installed.size === 0 ? undefined : installedIn(installed),
    job: job.size === 0 ? undefined : jobIn(job),
  };
}

const installedIn = (fields: Reply): NaturalVoice['installed'] => ({
  isLive: fields.get('isLive') !== false,
  voiceIds: listOf(fields.get('voiceIds')).map(textOf),
});

/** Returns the installation in the reply of `natural-voices/install` or `natural-voices/job`. */
export const jobOf = (reply: Reply): Job => jobIn(fieldsOf(reply.get('job')));

const jobIn = (fields: Reply): Job => ({
  phase: textOf(fields.get('phase')),
  bytes: numberIn(fields, 'bytes'),
  total: numberIn(fields, 'total'),
  error: textOf(fields.get('error')),
  isDone: fields.get('isDone') === true,
});

/** The model card of a voice. */
export interface ModelCard {
  text: string;
  /** '' if the card names no licence. */
  licence: string;
  isNonCommercial: boolean;
  sha256: string;
  bytes: number;
}

export const cardIn = (fields: Reply): ModelCard => ({
  text: textOf(fields.get('text')),
  licence: textOf(fields.get('licence')),
  isNonCommercial: fields.get('isNonCommercial') === true,
  sha256: textOf(fields.get('sha256')),
  bytes: numberIn(fields, 'bytes'),
});

const numberIn = (fields: Reply, name: string): number => Number(fields.get(name)) || 0;
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
