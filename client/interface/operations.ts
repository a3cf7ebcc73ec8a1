import { z } from 'zod';
import { operation } from './operation.js';
import {
  customVoice,
  identifier,
  orElse,
  pageOf,
  paging,
  sampleFile,
  speech,
  speechReply,
  USAGE_PAGE_SIZE,
  utterance,
  voice,
  voiceFilters,
  voiceName,
} from './schemas.js';

/** What most operations share: a JSON reply, free, safe to repeat, under the general rate limit. */
const usual = { reply: 'json', idempotent: true, bucket: 'general', paid: false } as const;
const emptyPage = { items: [], total: 0 };
const oneVoice = z.object({ voice_id: identifier });

/** Speech of at most 300 characters (docs/interface.md#speech). A lost reply may have been charged. */
export const createSpeech = operation({
  ...usual,
  name: 'createSpeech',
  method: 'POST',
  path: '/v1/text-to-speech/{voice_id}',
  request: speech,
  response: speechReply,
  reply: 'audio',
  paid: true,
});

/** The same, sent while it is made; `call` hands the collected audio over once all of it is there. */
export const streamSpeech = operation({
  ...usual,
  name: 'streamSpeech',
  method: 'POST',
  path: '/v1/text-to-speech/{voice_id}/stream',
  request: speech,
  response: speechReply,
  reply: 'audio',
  paid: true,
});

/** Seconds of audio that a text would give, free (docs/interface.md#speech). */
export const predictDuration = operation({
  ...usual,
  name: 'predictDuration',
  method: 'POST',
  path: '/v1/predict-duration/{voice_id}',
  request: utterance,
  response: z.looseObject({ duration: z.number().nonnegative() }),
});

/** Preset voices by filters (docs/interface.md#voice-search). */
export const searchVoices = operation({
  ...usual,
  name: 'searchVoices',
  method: 'GET',
  path: '/v1/voices/search',
  request: voiceFilters,
  response: pageOf(voice),
  notFound: emptyPage,
});

/** All preset voices, a page at a time (docs/interface.md#voices). */
export const listVoices = operation({
  ...usual,
  name: 'listVoices',
  method: 'GET',
  path: '/v1/voices',
  request: paging,
  response: pageOf(voice),
  notFound: emptyPage,
});

/** One preset voice (docs/interface.md#voices). */
export const getVoice = operation({
  ...usual,
  name: 'getVoice',
  method: 'GET',
  path: '/v1/voices/{voice_id}',
  request: oneVoice,
  response: voice,
});

/** A new voice from a sample (docs/interface.md#clone). Repeating it would make a second voice. */
export const createClonedVoice = operation({
  ...usual,
  name: 'createClonedVoice',
  method: 'POST',
  path: '/v1/custom-voices/cloned-voice',
  body: 'multipart',
  request: z.object({ files: sampleFile, name: voiceName, description: z.string().optional() }),
  response: z.looseObject({ voice_id: z.string().min(1) }),
  idempotent: false,
  bucket: 'clone',
});

/** Own voices, a page at a time (docs/interface.md#custom-voices). */
export const listCustomVoices = operation({
  ...usual,
  name: 'listCustomVoices',
  method: 'GET',
  path: '/v1/custom-voices',
  request: paging,
  response: pageOf(customVoice),
  notFound: emptyPage,
});

/** Own voices by name and description (docs/interface.md#custom-voices). */
export const searchCustomVoices = operation({
  ...usual,
  name: 'searchCustomVoices',
  method: 'GET',
  path: '/v1/custom-voices/search',
  request: paging.extend({ name: z.string().min(1).optional(), description: z.string().min(1).optional() }),
  response: pageOf(customVoice),
  notFound: emptyPage,
});

/** One own voice (docs/interface.md#custom-voices). */
export const getCustomVoice = operation({
  ...usual,
  name: 'getCustomVoice',
  method: 'GET',
  path: '/v1/custom-voices/{voice_id}',
  request: oneVoice,
  response: customVoice,
});

/** Renames or describes an own voice; the reply is the voice as it is now (docs/interface.md#custom-voices). */
export const editCustomVoice = operation({
  ...usual,
  name: 'editCustomVoice',
  method: 'PATCH',
  path: '/v1/custom-voices/{voice_id}',
  request: oneVoice.extend({ name: voiceName.optional(), description: z.string().optional() }),
  response: customVoice,
});

/** Deletes an own voice (docs/interface.md#custom-voices). */
export const deleteCustomVoice = operation({
  ...usual,
  name: 'deleteCustomVoice',
  method: 'DELETE',
  path: '/v1/custom-voices/{voice_id}',
  request: oneVoice,
  response: z.undefined(),
  reply: 'empty',
});

/** The credit balance (docs/interface.md#credits); null where the service keeps none. */
export const getCredits = operation({
  ...usual,
  name: 'getCredits',
  method: 'GET',
  path: '/v1/credits',
  request: z.object({}),
  response: z.looseObject({ balance: z.number().nullable() }),
});

const usageResult = z.looseObject({
  minutes_used: z.number(),
  voice_id: z.string().nullish(),
  voice_name: z.string().nullish(),
  api_key: z.string().nullish(),
  model: z.string().nullish(),
});

/** Minutes used, by time bucket (docs/interface.md#usage). */
export const getUsage = operation({
  ...usual,
  name: 'getUsage',
  method: 'GET',
  path: '/v1/usage',
  request: z.object({
    start_time: z.iso.datetime({ offset: true, error: 'expected a time such as 2026-01-31T00:00:00Z' }),
    end_time: z.iso.datetime({ offset: true, error: 'expected a time such as 2026-01-31T00:00:00Z' }),
    bucket_width: orElse(z.enum(['hour', 'day']), 'day'),
    breakdown_type: z
      .array(z.enum(['voice_id', 'voice_name', 'api_key', 'model']))
      .refine(
        (types) => !(types.includes('voice_id') && types.includes('voice_name')),
        'expected voice_id or voice_name, not both',
      )
      .optional(),
    page_size: orElse(z.int().min(USAGE_PAGE_SIZE.min).max(USAGE_PAGE_SIZE.max), USAGE_PAGE_SIZE.default),
    next_page_token: z.string().min(1).optional(),
  }),
  response: z.looseObject({
    data: z.array(
      z.looseObject({ starting_at: z.string(), ending_at: z.string(), results: z.array(usageResult) }),
    ),
    total: z.number().optional(),
    next_page_token: z.string().nullish(),
  }),
});

const day = z.iso.date({ error: 'expected a date such as 2026-01-31' });

/** Minutes used, by voice and day, over at most 30 days (docs/interface.md#voice-usage). */
export const getVoiceUsage = operation({
  ...usual,
  name: 'getVoiceUsage',
  method: 'GET',
  path: '/v1/voice-usage',
  request: z.object({ start_date: day, end_date: day }),
  response: z.looseObject({
    usages: z.array(
      z.looseObject({
        date: z.string(),
        voice_id: z.string(),
        name: z.string().nullish(),
        style: z.string().nullish(),
        language: z.string().nullish(),
        total_minutes_used: z.number(),
        model: z.string().nullish(),
        thumbnail_url: z.string().nullish(),
      }),
    ),
  }),
});

/** Every call of the interface. A new one is added here, and nowhere else in the client. */
export const operations = {
  createSpeech,
  streamSpeech,
  predictDuration,
  searchVoices,
  listVoices,
  getVoice,
  createClonedVoice,
  listCustomVoices,
  searchCustomVoices,
  getCustomVoice,
  editCustomVoice,
  deleteCustomVoice,
  getCredits,
  getUsage,
  getVoiceUsage,
};

export type OperationName = keyof typeof operations;
