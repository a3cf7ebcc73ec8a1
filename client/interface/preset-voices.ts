/** The operations on preset voices with their schemas (docs/interface.md#voices). */
import { z } from '#zod';
import { lazy } from '../base/lazy.js';
import { completed, optional, tolerantArray } from './lenient.js';
import { operation } from './operation.js';
import { emptyPage, filter, oneVoice, pageSchema, paging, styleFilter } from './parts.js';

const sample = lazy(() =>
  completed(z.looseObject({ language: z.string(), style: z.string(), model: z.string(), url: z.string() }), {
    language: '',
    style: '',
    model: '',
    url: '',
  }),
);

const voice = lazy(() =>
  completed(
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
      samples: tolerantArray(sample()).nullish(),
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
  ),
);

export type Voice = z.output<ReturnType<typeof voice>>;

const voicePage = lazy(() => pageSchema(voice()));

export const voiceFilters = lazy(() =>
  paging().extend({
    name: filter(),
    description: filter(),
    language: filter(),
    gender: filter(),
    age: filter(),
    use_case: filter(),
    use_cases: filter(),
    style: styleFilter(),
    model: filter(),
  }),
);

/** Searches preset voices by filters (docs/interface.md#voice-search). */
export const searchVoices = operation({
  name: 'searchVoices',
  summary: 'Search preset voices',
  method: 'GET',
  path: '/v1/voices/search',
  request: voiceFilters,
  response: voicePage,
  failures: [400],
  notFound: emptyPage,
});

/** Lists all preset voices in pages (docs/interface.md#voices). */
export const listVoices = operation({
  name: 'listVoices',
  summary: 'List preset voices',
  method: 'GET',
  path: '/v1/voices',
  request: paging,
  response: voicePage,
  failures: [400],
  notFound: emptyPage,
});

/** Gets one preset voice (docs/interface.md#voices). */
export const getVoice = operation({
  name: 'getVoice',
  summary: 'Get a preset voice',
  method: 'GET',
  path: '/v1/voices/{voice_id}',
  request: oneVoice,
  response: voice,
  failures: [400, 404],
});

export const presetVoiceOperations = { searchVoices, listVoices, getVoice };
