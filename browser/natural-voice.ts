/** The voices that a user can install, as the service lists them. Unknown texts are empty, unknown numbers 0. */
import { type Fields, fieldsOf, listOf, numberOf, textOf, textsOf } from './values.js';

/** The state of an installation. */
export interface Job {
  /** `card`, `download`, `check` or `measure`. */
  phase: string;
  bytes: number;
  total: number;
  /** The reason of a failure; '' without one. */
  error: string;
  /** The kind of a failure, such as `network`; '' if unknown. */
  kind: string;
  isDone: boolean;
}

/** The state of an import. */
export interface ImportJob extends Job {
  /** Absolute path on the computer of the service. */
  folder: string;
  /** The name of the current voice. */
  voice: string;
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

export interface NaturalVoice {
  /** For example `de_DE-thorsten-medium`. */
  name: string;
  /** The name for people, such as `Thorsten`. */
  title: string;
  /** Two-letter code. */
  language: string;
  region: string;
  /** `x_low`, `low`, `medium` or `high`. */
  quality: string;
  speakers: number;
  /** Bytes of the download. */
  bytes: number;
  gender: string;
  /** '' if unknown before the model card is read. */
  licence: string;
  isNonCommercial: boolean;
  hasSample: boolean;
  installed: Installed | undefined;
  job: Job | undefined;
}

/** The list of a service. */
export interface NaturalList {
  isEngineInstalled: boolean;
  /** The command that installs the packages of the engine, as far as they are missing. */
  command: string;
  /** The folder of the voices. */
  folder: string;
  isWritable: boolean;
  /** Undefined if unknown. */
  freeBytes: number | undefined;
  /** The folder in which the user of Node-RED installs packages; '' for a hosted service and in the console. */
  userDir: string;
  voices: readonly NaturalVoice[];
  /** The present or the last import. */
  import: ImportJob | undefined;
}

/** The model card of a voice. */
export interface ModelCard {
  text: string;
  /** '' if the card names no licence. */
  licence: string;
  isNonCommercial: boolean;
  /** Digest of the text, which the consent refers to. */
  sha256: string;
  /** Bytes of the download. */
  bytes: number;
}

export function naturalList(reply: unknown): NaturalList {
  const { voices, userDir, ...others } = fieldsOf(reply);
  const [engine, folder] = [fieldsOf(others['engine']), fieldsOf(others['folder'])];
  return {
    isEngineInstalled: engine['isInstalled'] === true,
    command: commandIn(textOf(engine['hint'])),
    folder: textOf(folder['path']),
    isWritable: folder['isWritable'] === true,
    freeBytes: numberOf(folder['freeBytes']),
    userDir: textOf(userDir),
    voices: listOf(voices).map(voiceIn),
    import: others['import'] instanceof Object ? importJobIn(others['import']) : undefined,
  };
}

/** Returns the command that installs the packages that a service names in its hint. */
function commandIn(hint: string): string {
  const packages = [...hint.matchAll(/"npm install ([^"]+)"/g)].map(([, name = '']) => name);
  return `npm install ${packages.join(' ')}`;
}

/**
 * Returns the voice to offer for a language: one in progress, or else one whose licence is known, of the user's region.
 * Undefined if the language has a natural voice, or the service cannot install one.
 * @param locales the languages of the user, such as `en-US`
 */
export function offeredVoice(
  { isEngineInstalled, isWritable, voices }: NaturalList,
  language: string,
  locales: readonly string[],
): NaturalVoice | undefined {
  if (!isEngineInstalled || !isWritable) return undefined;
  const spoken = voices.filter((voice) => voice.language === language);
  if (spoken.some(({ installed }) => installed !== undefined)) return undefined;
  const region = regionOf(language, locales);
  const weight = ({ job, licence, region: own }: NaturalVoice) =>
    (job?.isDone === false ? 0 : 4) + (licence === '' ? 2 : 0) + (own === region ? 0 : 1);
  return spoken
    .filter(({ isNonCommercial }) => !isNonCommercial)
    .sort((one, other) => weight(one) - weight(other))[0];
}

/** Whether the licence of a card is the one that the list stated, so that a user who read the list has accepted it. */
export const isStated = (card: ModelCard, { licence }: NaturalVoice): boolean =>
  licence !== '' && card.licence === licence && !card.isNonCommercial;

/** Returns the user's region of a language, or else the one with most speakers. */
function regionOf(language: string, locales: readonly string[]): string | undefined {
  const own = locales.map((locale) => new Intl.Locale(locale)).find((locale) => locale.language === language);
  return new Intl.Locale(own ?? language).maximize().region;
}

function voiceIn(value: unknown): NaturalVoice {
  const fields = fieldsOf(value);
  const text = (name: string) => textOf(fields[name]);
  const { installed, job } = fields;
  return {
    name: text('name'),
    title: text('title') || text('name'),
    language: text('language'),
    region: text('region'),
    quality: text('quality'),
    speakers: number(fields, 'speakers'),
    bytes: number(fields, 'bytes'),
    gender: text('gender'),
    licence: textOf(fieldsOf(installed)['licence']) || text('licence'),
    isNonCommercial: fields['isNonCommercial'] === true,
    hasSample: text('sample') !== '',
    installed: installed instanceof Object ? installedIn(fieldsOf(installed)) : undefined,
    job: job instanceof Object ? jobIn(job) : undefined,
  };
}

const installedIn = (fields: Fields): Installed => ({
  realTimeFactor: number(fields, 'realTimeFactor'),
  isLive: fields['isLive'] !== false,
  memoryBytes: number(fields, 'memoryBytes'),
  voiceIds: textsOf(fields['voiceIds']),
});

/** Reads the state of an installation. */
export function jobIn(value: unknown): Job {
  const fields = fieldsOf(value);
  return {
    phase: textOf(fields['phase']),
    bytes: number(fields, 'bytes'),
    total: number(fields, 'total'),
    error: textOf(fields['error']),
    kind: textOf(fields['kind']),
    isDone: fields['isDone'] === true,
  };
}

/** Reads the state of an import. */
export function importJobIn(value: unknown): ImportJob {
  const { folder, voice } = fieldsOf(value);
  return { ...jobIn(value), folder: textOf(folder), voice: textOf(voice) };
}

export function cardIn(value: unknown): ModelCard {
  const fields = fieldsOf(value);
  return {
    text: textOf(fields['text']),
    licence: textOf(fields['licence']),
    isNonCommercial: fields['isNonCommercial'] === true,
    sha256: textOf(fields['sha256']),
    bytes: number(fields, 'bytes'),
  };
}

const number = (fields: Fields, name: string): number => numberOf(fields[name]) ?? 0;
