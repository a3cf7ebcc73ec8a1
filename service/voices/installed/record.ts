import { describeIssues } from '@herald-speech/client/interface';
import { z } from 'zod';
import { NaturalVoiceError } from './errors.js';
import { fileNamesOf, isVoiceName } from './voice-name.js';

/** Name of the record in the folder of an installed voice. */
export const RECORD = 'installed.json';

export const qualities = ['x_low', 'low', 'medium', 'high'] as const;
export type Quality = (typeof qualities)[number];

const hex = (digits: number) => z.string().regex(new RegExp(`^[0-9a-f]{${digits}}$`));
const fileRecord = z.object({ bytes: z.int().min(0), md5: hex(32), sha256: hex(64) });
const licence = z.string().max(2000).nullable();

const consent = z.object({
  /** Licence that the user saw; null if unknown. */
  licence,
  /** SHA-256 of the model card that the user accepted; null if an imported voice has no card. */
  cardSha256: hex(64).nullable(),
  /** Time of the consent, ISO 8601. */
  at: z.iso.datetime(),
});

/** The content of installed.json: origin, licence and digests of an installed voice. */
const installRecord = z
  .object({
    name: z.string().refine(isVoiceName, 'expected the name of a voice'),
    /** ISO 639-1 code. */
    language: z.string().regex(/^[a-z]{2}$/),
    region: z.string().max(20),
    quality: z.enum(qualities),
    title: z.string().min(1).max(200),
    gender: z.string().max(20).nullable(),
    licence,
    isNonCommercial: z.boolean(),
    /** Address or folder of the mirror, without a password. */
    source: z.string().max(2000),
    installedAt: z.iso.datetime(),
    files: z.record(z.string(), fileRecord),
    consent,
  })
  .superRefine(({ name, files }, issues) => {
    const { model, config, card } = fileNamesOf(name);
    const names = Object.keys(files);
    const isRight = names.includes(model) && names.includes(config);
    if (isRight && names.every((file) => [model, config, card].includes(file))) return;
    issues.addIssue({ code: 'custom', path: ['files'], message: `expected ${model}, ${config} and ${card}` });
  });

export type InstallRecord = z.output<typeof installRecord>;
export type FileRecord = z.output<typeof fileRecord>;

/** The user's consent with the model card of a voice. */
export interface Consent extends z.output<typeof consent> {
  /** Whether the model card forbids commercial use. */
  isNonCommercial: boolean;
}

/** Checks the parsed content of installed.json. @throws NaturalVoiceError `invalid` with the field and the rule */
export function readRecord(json: unknown, voice: string): InstallRecord {
  const parsed = installRecord.safeParse(json);
  if (parsed.success && parsed.data.name.normalize() === voice.normalize()) return parsed.data;
  const problem = parsed.success ? `name "${parsed.data.name}"` : describeIssues(parsed.error.issues, json);
  throw new NaturalVoiceError('invalid', `${RECORD} of ${voice}: ${problem}. Install the voice again`);
}
