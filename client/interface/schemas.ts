import { z } from 'zod';
import { AudioError } from '../audio/audio-error.js';
import { inspectAudio } from '../audio/join.js';
import { MAX_NAME_LENGTH, MAX_SAMPLE_BYTES, MAX_TEXT_LENGTH, PAGE_SIZE, SPEAKABLE } from './limits.js';
import { fieldDefaults, longVoiceSettings, type VoiceSetting, voiceSettings } from './models.js';
import { audioProblem, type Text, text } from '../base/messages.js';
import { rule } from './describe-issues.js';
import { completed, ifPresent, tolerantArray, optional } from './lenient.js';
import { orElse } from './or-else.js';

type Range = Readonly<Record<'min' | 'max' | 'default', number>>;

const range = ({ min, max, default: value }: Range) => orElse(z.number().min(min).max(max), value);

/** A service may have more settings: the client passes unknown ones on. */
const settingsIn = (ranges: Readonly<Record<VoiceSetting, Range>>) =>
  z.looseObject(
    Object.fromEntries(Object.entries(ranges).map(([name, limits]) => [name, range(limits)])) as Record<
      VoiceSetting,
      ReturnType<typeof range>
    >,
  );

/**
 * Limits a text in UTF-16 code units, like `length`. The method `max` of zod counts code points, so it would accept 300
 * emoji, which have 600 code units. A description of the interface has the limit as `maxLength`.
 */
const atMost = (limit: number, schema: z.ZodString): z.ZodString =>
  schema
    .refine((value) => value.length <= limit, rule(text('rule-characters', { limit })))
    .meta({ maxLength: limit });

const word = z.string().min(1, rule(text('rule-word')));

/**
 * An identifier in a path. `.` and `..` would change the path (RFC 3986, 5.2.4), and a lone surrogate has no UTF-8
 * encoding.
 */
const identifier = word.regex(/^(?!\.{1,2}$)[^\s\p{Surrogate}]+$/u, rule(text('rule-identifier')));

export const noFields = z.object({});
export const nothing = z.undefined();
export const oneVoice = z.object({ voice_id: identifier });

export const phonemes = z
  .looseObject({
    symbols: tolerantArray(z.string()),
    start_times_seconds: tolerantArray(z.number()),
    durations_seconds: tolerantArray(z.number()),
  })
  .refine(
    ({ symbols, start_times_seconds: starts, durations_seconds: durations }) =>
      symbols.length === starts.length && symbols.length === durations.length,
    'expected three arrays of equal length',
  );

export type Phonemes = z.output<typeof phonemes>;

/** The fields that speech and predicted duration share (docs/interface.md#utterance). */
export const utterance = z.object({
  voice_id: identifier,
  text: atMost(MAX_TEXT_LENGTH, z.string().regex(SPEAKABLE, rule(text('rule-text')))),
  /** Becomes two letters: the interface has no regions (docs/interface.md#utterance). */
  language: z
    .string()
    .regex(/^[a-z]{2}(?:[-_][A-Za-z0-9]{2,8})*$/, rule(text('rule-language')))
    .overwrite((tag) => tag.slice(0, 2)),
  style: word.optional(),
  model: word.optional(),
  output_format: orElse(z.enum(['wav', 'mp3']), fieldDefaults.output_format),
  voice_settings: settingsIn(voiceSettings).optional(),
});

/** A service may have more fields: the client passes unknown ones on. */
export const speech = utterance.loose().extend({
  include_phonemes: orElse(z.boolean(), fieldDefaults.include_phonemes),
  normalized_text: word.optional(),
});

/** A speech request with a text of any length; `speak` and `predict` split it into requests of the interface. */
export const longSpeech = speech.extend({
  text: z.string(),
  voice_settings: settingsIn(longVoiceSettings).optional(),
});

/**
 * A speech reply in any of its encodings. `duration` is in seconds; `charged` is `X-Audio-Length`, in seconds.
 * `approximate` is `X-Voice-Approximate`, `voiceFallback` is `X-Voice-Fallback`, and `voiceFallbackReason` is
 * `X-Voice-Fallback-Reason`, of the local service only.
 */
export const speechReply = z.looseObject({
  audio: z.custom<Uint8Array>(isBytes),
  format: z.enum(['wav', 'mp3']),
  mime: z.string(),
  duration: z.number(),
  charged: z.number().optional(),
  approximate: z.boolean().optional(),
  voiceFallback: z.string().optional(),
  voiceFallbackReason: z.string().optional(),
  phonemes: phonemes.optional(),
});

/** `duration` is in seconds. */
export const predictedDuration = z.looseObject({ duration: z.number().nonnegative() });

const sample = completed(
  z.looseObject({ language: z.string(), style: z.string(), model: z.string(), url: z.string() }),
  { language: '', style: '', model: '', url: '' },
);

export const voice = completed(
  z.looseObject({
    voice_id: z.string(),
    name: z.string(),
    description: z.string().nullish(),
    age: z.string(),
    gender: z.string(),
    use_case: z.string(),
    use_cases: tolerantArray(z.string()),
    language: tolerantArray(z.string()),
    styles: tolerantArray(z.string()),
    models: tolerantArray(z.string()),
    samples: tolerantArray(sample).nullish(),
    thumbnail_image_url: z.string().nullish(),
    locale: optional(z.string()),
    natural: optional(z.boolean()),
    quality: optional(z.string()),
    licence: optional(z.string()),
    non_commercial: optional(z.boolean()),
    live: optional(z.boolean()),
    real_time_factor: optional(z.number()),
  }),
  { name: '', age: '', gender: '', use_case: '', use_cases: [], language: [], styles: [], models: [] },
);

export type Voice = z.output<typeof voice>;

export const customVoice = completed(
  z.looseObject({
    voice_id: z.string(),
    name: z.string(),
    description: z.string().nullish(),
    styles: ifPresent(tolerantArray(z.string())),
    approximate: optional(z.boolean()),
  }),
  { name: '' },
);

export type CustomVoice = z.output<typeof customVoice>;

/** A page of items. `total` is deprecated; the token is absent or null on the last page (docs/interface.md#page). */
const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.looseObject({
    items: tolerantArray(item),
    total: ifPresent(z.number()),
    next_page_token: z.string().nullish(),
  });

export const voicePage = pageOf(voice);
export const customVoicePage = pageOf(customVoice);

export const paging = z.object({
  page_size: orElse(z.int().min(PAGE_SIZE.min).max(PAGE_SIZE.max), PAGE_SIZE.default),
  next_page_token: word.optional(),
});

/** A filter of a search. A blank filter counts as absent. */
const filterOf = (schema: z.ZodString) =>
  z
    .preprocess(
      (value: string | undefined) => (typeof value === 'string' && value.trim() === '' ? undefined : value),
      schema.optional(),
    )
    .optional();

const filter = filterOf(word);
const styleFilter = filterOf(
  word.refine((style) => !(style.includes(',') && style.includes(';')), rule(text('rule-separators'))),
);

export const voiceFilters = paging.extend({
  name: filter,
  description: filter,
  language: filter,
  gender: filter,
  age: filter,
  use_case: filter,
  use_cases: filter,
  style: styleFilter,
  model: filter,
});

export const customVoiceFilters = paging.extend({ name: filter, description: filter, style: styleFilter });

const voiceName = atMost(MAX_NAME_LENGTH, word);

export const customVoiceChanges = oneVoice.extend({
  name: voiceName.optional(),
  description: z.string().optional(),
});

/** A clone sample. Its content must be WAV or MP3; its file name does not matter (docs/interface.md#clone). */
const sampleFile = z.custom<Uint8Array>(isBytes, rule(text('rule-sample'))).superRefine((bytes, context) => {
  const problem = sampleProblem(bytes);
  if (problem !== undefined)
    context.addIssue({ code: 'custom', message: problem.english, params: { text: problem } });
});

export const clone = z.object({
  files: sampleFile,
  name: voiceName,
  description: z.string().optional(),
});

export const clonedVoice = z.looseObject({ voice_id: z.string().min(1) });

function isBytes(value: unknown): value is Uint8Array {
  return value instanceof Uint8Array;
}

function sampleProblem(bytes: Uint8Array): Text | undefined {
  if (bytes.length > MAX_SAMPLE_BYTES) return text('rule-bytes', { limit: MAX_SAMPLE_BYTES });
  try {
    inspectAudio(bytes);
    return undefined;
  } catch (error) {
    if (error instanceof AudioError) return text('rule-audio', { problem: audioProblem(error) });
    throw error;
  }
}

export const credits = z.looseObject({ balance: z.number().nullable() });

export { usage, usageQuery, voiceUsage, voiceUsageQuery } from './usage-schemas.js';
