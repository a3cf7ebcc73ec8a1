import path from 'node:path';
import { z } from 'zod';
import shipped from './catalogue.json';
import { isNonCommercial } from './model-card.js';
import type { InstalledVoice } from '../../installed/installed-voice.js';
import { qualities, type Quality } from '../../installed/record.js';

/** A file of the voice repository. */
interface RepositoryFile {
  /** Path below the address of the repository, with slashes, not encoded. */
  path: string;
  bytes: number;
  /** 32 hexadecimal digits in lower case. */
  md5: string;
}

/** A voice that can be installed. */
export interface InstallableVoice {
  /** LANGUAGE_REGION-DATASET-QUALITY, for example `de_DE-thorsten-medium`. */
  name: string;
  /** Name for users, for example `Thorsten`. */
  title: string;
  /** ISO 639-1, in lower case. */
  language: string;
  /** ISO 3166-1, in upper case. */
  region: string;
  quality: Quality;
  speakers: number;
  /** Size of all files. */
  bytes: number;
  gender: string | null;
  /** Licence if it is known before the model card is read, else null. */
  licence: string | null;
  /** Whether the licence forbids commercial use; null if the licence is unknown. */
  isNonCommercial: boolean | null;
  /** Model, configuration and model card, in this order. */
  files: readonly RepositoryFile[];
  /** Path of an audio sample, null if the repository has no sample of the voice. */
  sample: string | null;
}

/** Address of the public voice repository. */
export const defaultRepository = 'https://huggingface.co/rhasspy/piper-voices/resolve/main/';

/** The dataset can have letters of any script, for example `tugão`. */
const NAME =
  /^(?<language>[a-z]{2})_(?<region>[A-Z]{2})-(?<dataset>[\p{L}\p{N}_]{1,60})-(?<quality>x_low|low|medium|high)$/u;

const nameParts = z.object({
  language: z.string(),
  region: z.string(),
  dataset: z.string(),
  quality: z.enum(qualities),
});

/** The parts of a voice's name. */
export type VoiceName = z.output<typeof nameParts>;

/** Returns the parts of the name of a voice, or undefined if the name is invalid. */
export function parseName(name: string): VoiceName | undefined {
  const match = NAME.exec(name);
  return match === null ? undefined : nameParts.parse(match.groups);
}

/** Returns the paths of model, configuration and model card of a voice. */
export function pathsOf(name: string, { language, region, dataset, quality }: VoiceName): string[] {
  const folder = `${language}/${language}_${region}/${dataset}/${quality}`;
  return [`${folder}/${name}.onnx`, `${folder}/${name}.onnx.json`, `${folder}/MODEL_CARD`];
}

/** The facts of a listing about one voice. */
export interface ListedFacts {
  speakers: number;
  /** Model, configuration and model card, in this order. */
  files: ReadonlyArray<{ bytes: number; md5: string }>;
}

const count = (max: number) => z.coerce.number().int().min(1).max(max);
const bytes = count(1_000_000_000);
const md5 = z.string().regex(/^[0-9a-f]{32}$/);

const facts = z
  .tuple([count(10_000), bytes, md5, bytes, md5, bytes, md5])
  .transform(([speakers, model, modelMd5, config, configMd5, card, cardMd5]): ListedFacts => {
    const pairs = [[model, modelMd5] as const, [config, configMd5] as const, [card, cardMd5] as const];
    return { speakers, files: pairs.map(([bytes, md5]) => ({ bytes, md5 })) };
  });

/** Number of speakers, then bytes and MD5 digest of model, configuration and model card, with spaces between. */
const row = z.preprocess((text) => (typeof text === 'string' ? text.split(' ') : text), facts);

/** Voices by name, in the form of `catalogue.json` and of a refreshed catalogue. */
export const listing = z.record(z.string(), row);

/** Writes the facts of a voice as in `catalogue.json`. */
export function toRow({ speakers, files }: ListedFacts): string {
  return [speakers, ...files.flatMap(({ bytes, md5 }) => [bytes, md5])].join(' ');
}

/** Facts from public sources about the recordings of a voice. */
const dataset = z.object({
  title: z.string().optional(),
  gender: z.enum(['female', 'male']).optional(),
  licence: z.string().optional(),
});

const catalogueFile = z.object({
  voices: listing,
  /** By LANGUAGE_REGION-DATASET. */
  datasets: z.record(z.string(), dataset),
});

const { voices: shippedVoices, datasets } = catalogueFile.parse(shipped);

/** Returns the catalogue that this version of Herald contains. */
export const shippedCatalogue = (): InstallableVoice[] => toCatalogue(shippedVoices);

/** Converts a listing to entries. Leaves out names that `parseName` rejects. */
export function toCatalogue(voices: Readonly<Record<string, ListedFacts>>): InstallableVoice[] {
  return Object.entries(voices).flatMap(([name, voice]) => {
    const parts = parseName(name);
    return parts === undefined ? [] : [toEntry(name, parts, voice)];
  });
}

function toEntry(name: string, parts: VoiceName, { speakers, files }: ListedFacts): InstallableVoice {
  const { language, region, quality } = parts;
  const key = `${language}_${region}-${parts.dataset}`;
  const { title = titleOf(parts.dataset), gender = null, licence = null } = datasets[key] ?? {};
  const [model = '', ...others] = pathsOf(name, parts);
  return {
    name,
    title,
    language,
    region,
    quality,
    speakers,
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    gender,
    licence,
    isNonCommercial: licence === null ? null : isNonCommercial(licence),
    files: [model, ...others].flatMap((path, index) => ({
      path,
      ...(files[index] ?? { bytes: 0, md5: '' }),
    })),
    sample: `${path.posix.dirname(model)}/samples/speaker_0.mp3`,
  };
}

/** Returns a title such as `Thorsten emotional` for `thorsten_emotional`. */
export function titleOf(dataset: string): string {
  const words = dataset.split('_').join(' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Returns the facts about an installed voice that the catalogue does not contain, for example of an imported voice. */
export function installedFacts({ name, config, record }: InstalledVoice): Omit<InstallableVoice, 'files'> {
  const { title, language, region, quality, gender, licence, isNonCommercial, files } = record;
  const bytes = Object.values(files).reduce((sum, { bytes }) => sum + bytes, 0);
  const speakers = Math.max(config.speakers.length, 1);
  const facts = { name, title, language, region, quality, speakers, bytes, gender };
  return { ...facts, licence, isNonCommercial, sample: null };
}
