import { z } from 'zod';
import { AudioError } from '../audio/audio-error.js';
import { inspectAudio } from '../audio/join.js';

/** Text of one speech request, in UTF-16 units (docs/interface.md#limits). */
export const MAX_TEXT_LENGTH = 300;
/** Characters of a voice's name (docs/interface.md#limits). */
export const MAX_NAME_LENGTH = 100;
/** Bytes of a clone sample. The interface says "3 MB" without saying which; the smaller reading fits both. */
export const MAX_SAMPLE_BYTES = 3_000_000;
/** Items of a page (docs/interface.md#limits). */
export const PAGE_SIZE = { min: 10, max: 100, default: 20 } as const;
/** Buckets of a usage page (docs/interface.md#limits). */
export const USAGE_PAGE_SIZE = { min: 1, max: 20, default: 10 } as const;
/** The model that a service takes when a request names none (docs/interface.md#models). */
export const DEFAULT_MODEL = 'main_speech_1';

/** Every voice setting with its default and range (docs/interface.md#voice-settings). */
export const voiceSettings = {
  pitch_shift: { default: 0, min: -24, max: 24 },
  pitch_variance: { default: 1, min: 0, max: 2 },
  speed: { default: 1, min: 0.5, max: 2 },
  duration: { default: 0, min: 0, max: 60 },
  similarity: { default: 3, min: 1, max: 5 },
  text_guidance: { default: 1, min: 0, max: 4 },
  subharmonic_amplitude_control: { default: 1, min: 0, max: 2 },
} as const;

export type VoiceSetting = keyof typeof voiceSettings;

const ALL_LANGUAGES =
  'en ko ja ar bg cs da de el es et fi fr hi hr hu id it lt lv nl pl pt ro ru sk sl sv tr uk vi'.split(' ');
const LANGUAGES_23 = 'en ko ja bg cs da el es et fi hu it nl pl pt ro ar de fr hi id ru vi'.split(' ');
const FLASH_SETTINGS: readonly VoiceSetting[] = ['pitch_shift', 'pitch_variance', 'speed', 'duration'];
const ALL_SETTINGS: readonly VoiceSetting[] = [
  ...FLASH_SETTINGS,
  'similarity',
  'text_guidance',
  'subharmonic_amplitude_control',
];

/** What each listed model can do (docs/interface.md#models). A model that is not listed is passed on. */
export const models: Readonly<
  Record<string, { languages: readonly string[]; settings: readonly VoiceSetting[] }>
> = {
  main_speech_1: { languages: ['en', 'ko', 'ja'], settings: ALL_SETTINGS },
  main_speech_2: {
    languages: LANGUAGES_23,
    settings: ALL_SETTINGS.filter((setting) => setting !== 'subharmonic_amplitude_control'),
  },
  main_speech_2_flash: { languages: LANGUAGES_23, settings: FLASH_SETTINGS },
  compact_api_1: { languages: ['en', 'ko', 'ja', 'es', 'pt'], settings: ['speed'] },
  compact_api_3: { languages: ALL_LANGUAGES, settings: ['speed'] },
};

/** What a service takes where a field is left out: told in descriptions, never filled in. */
export const orElse = <Schema extends z.ZodType>(schema: Schema, value: number | string | boolean) =>
  schema.optional().meta({ default: value });

const range = ({ min, max, default: value }: { min: number; max: number; default: number }) =>
  orElse(z.number().min(min).max(max), value);

const settings = z.strictObject({
  pitch_shift: range(voiceSettings.pitch_shift),
  pitch_variance: range(voiceSettings.pitch_variance),
  speed: range(voiceSettings.speed),
  duration: range(voiceSettings.duration),
  similarity: range(voiceSettings.similarity),
  text_guidance: range(voiceSettings.text_guidance),
  subharmonic_amplitude_control: range(voiceSettings.subharmonic_amplitude_control),
});

/** What a service can speak: a text of spaces or punctuation alone is refused (docs/interface.md#open-points). */
export const SPEAKABLE = /[\p{L}\p{N}]/u;

const word = z.string().min(1, 'expected a word, not an empty string');

/**
 * An identifier that goes into a path: `.` and `..` would change the path itself (RFC 3986, 5.2.4), and half a
 * surrogate pair can't be encoded.
 */
export const identifier = word.regex(
  /^(?!\.{1,2}$)[^\s\p{Surrogate}]+$/u,
  'expected an identifier without white space',
);

export const phonemes = z
  .looseObject({
    symbols: z.array(z.string()),
    start_times_seconds: z.array(z.number()),
    durations_seconds: z.array(z.number()),
  })
  .refine(
    ({ symbols, start_times_seconds: starts, durations_seconds: durations }) =>
      symbols.length === starts.length && symbols.length === durations.length,
    'expected three arrays of one length',
  );

export type Phonemes = z.output<typeof phonemes>;

/** The fields that speech and predicted duration share (docs/interface.md#utterance). */
export const utterance = z.object({
  voice_id: identifier,
  text: z
    .string()
    .max(MAX_TEXT_LENGTH, `expected at most ${MAX_TEXT_LENGTH} characters`)
    .regex(SPEAKABLE, 'expected a text with at least one letter or digit'),
  language: z.string().regex(/^[a-z]{2}$/, 'expected a two-letter language code such as "en"'),
  style: word.optional(),
  model: word.optional(),
  output_format: orElse(z.enum(['wav', 'mp3']), 'wav'),
  voice_settings: settings.optional(),
});

export const speech = utterance.extend({
  include_phonemes: orElse(z.boolean(), false),
  normalized_text: word.optional(),
});

/** A request for speech whose text has any length: `speak` and `predict` cut it into requests of the interface. */
export const speechRequest = speech.extend({ text: z.string() });

/** A speech reply, whichever way the wire carried it. `duration` is in seconds; `charged` is `X-Audio-Length`. */
export const speechReply = z.looseObject({
  audio: z.custom<Uint8Array>(isBytes),
  format: z.enum(['wav', 'mp3']),
  mime: z.string(),
  duration: z.number(),
  charged: z.number().optional(),
  phonemes: phonemes.optional(),
});

const sample = z.looseObject({ language: z.string(), style: z.string(), model: z.string(), url: z.string() });

export const voice = z.looseObject({
  voice_id: z.string(),
  name: z.string(),
  description: z.string().nullish(),
  age: z.string(),
  gender: z.string(),
  use_case: z.string(),
  use_cases: z.array(z.string()),
  language: z.array(z.string()),
  styles: z.array(z.string()),
  models: z.array(z.string()),
  samples: z.array(sample).nullish(),
  thumbnail_image_url: z.string().nullish(),
});

export type Voice = z.output<typeof voice>;

export const customVoice = z.looseObject({
  voice_id: z.string(),
  name: z.string(),
  description: z.string().nullish(),
});

export type CustomVoice = z.output<typeof customVoice>;

/** A page of items. `total` may go one day (docs/interface.md#page); the token may be absent or null on the last page. */
export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.looseObject({
    items: z.array(item),
    total: z.number().optional(),
    next_page_token: z.string().nullish(),
  });

export const paging = z.object({
  page_size: orElse(z.int().min(PAGE_SIZE.min).max(PAGE_SIZE.max), PAGE_SIZE.default),
  next_page_token: word.optional(),
});

export const voiceFilters = paging.extend({
  name: word.optional(),
  description: word.optional(),
  language: word.optional(),
  gender: word.optional(),
  age: word.optional(),
  use_case: word.optional(),
  use_cases: word.optional(),
  style: word
    .refine(
      (style) => !(style.includes(',') && style.includes(';')),
      'expected commas (any of) or semicolons (all of), not both',
    )
    .optional(),
  model: word.optional(),
});

export const voiceName = word.max(MAX_NAME_LENGTH, `expected at most ${MAX_NAME_LENGTH} characters`);

/** A clone sample: WAV or MP3 by its content, whatever its name says (docs/interface.md#clone). */
export const sampleFile = z
  .custom<Uint8Array>(isBytes, 'expected a Buffer with a WAV or MP3 file')
  .superRefine((bytes, context) => {
    const problem = sampleProblem(bytes);
    if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
  });

function isBytes(value: unknown): value is Uint8Array {
  return value instanceof Uint8Array;
}

function sampleProblem(bytes: Uint8Array): string | undefined {
  if (bytes.length > MAX_SAMPLE_BYTES) return `expected at most ${MAX_SAMPLE_BYTES} bytes (3 MB)`;
  try {
    inspectAudio(bytes);
    return undefined;
  } catch (error) {
    if (error instanceof AudioError) return `expected a WAV or MP3 file: ${error.message}`;
    throw error;
  }
}
