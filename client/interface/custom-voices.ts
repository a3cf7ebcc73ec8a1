/** The operations on custom voices with their schemas (docs/interface.md#custom-voices). */
import { z } from '#zod';
import { AudioError } from '../base/audio-error.js';
import { inspectAudio } from '../audio/join.js';
import { lazy } from '../base/lazy.js';
import { audioProblem, type Text, text } from '../base/messages.js';
import { rule } from './describe-issues.js';
import { completed, ifPresent, optional, tolerantArray } from './lenient.js';
import { MAX_NAME_LENGTH, MAX_SAMPLE_BYTES } from './limits.js';
import { operation } from './operation.js';
import {
  atMost,
  emptyPage,
  filter,
  isBytes,
  nothing,
  oneVoice,
  pageSchema,
  paging,
  styleFilter,
  word,
} from './parts.js';

const customVoice = lazy(() =>
  completed(
    z.looseObject({
      voice_id: z.string(),
      name: z.string(),
      description: z.string().nullish(),
      styles: ifPresent(tolerantArray(z.string())),
      approximate: optional(z.boolean()),
    }),
    { name: '' },
  ),
);

export type CustomVoice = z.output<ReturnType<typeof customVoice>>;

const customVoicePage = lazy(() => pageSchema(customVoice()));

const customVoiceFilters = lazy(() =>
  paging().extend({ name: filter(), description: filter(), style: styleFilter() }),
);

const voiceName = lazy(() => atMost(MAX_NAME_LENGTH, word()));

const customVoiceChanges = lazy(() =>
  oneVoice().extend({
    name: voiceName().optional(),
    description: z.string().optional(),
  }),
);

/** A clone sample. Its content must be WAV or MP3; its file name does not matter (docs/interface.md#clone). */
const sampleFile = lazy(() =>
  z.custom<Uint8Array>(isBytes, rule(text('rule-sample'))).superRefine((bytes, context) => {
    const problem = sampleProblem(bytes);
    if (problem !== undefined)
      context.addIssue({ code: 'custom', message: problem.english, params: { text: problem } });
  }),
);

const clone = lazy(() =>
  z.object({
    files: sampleFile(),
    name: voiceName(),
    description: z.string().optional(),
  }),
);

const clonedVoice = lazy(() => z.looseObject({ voice_id: z.string().min(1) }));

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

/** Creates a custom voice from a sample (docs/interface.md#clone). A repeated call would create a second voice. */
export const createClonedVoice = operation({
  name: 'createClonedVoice',
  summary: 'Create a custom voice from a sample',
  method: 'POST',
  path: '/v1/custom-voices/cloned-voice',
  body: 'multipart',
  request: clone,
  response: clonedVoice,
  idempotent: false,
  bucket: 'clone',
  failures: [400, 403, 408, 413, 415],
});

/** Lists custom voices in pages (docs/interface.md#custom-voices). */
export const listCustomVoices = operation({
  name: 'listCustomVoices',
  summary: 'List custom voices',
  method: 'GET',
  path: '/v1/custom-voices',
  request: paging,
  response: customVoicePage,
  failures: [400],
  notFound: emptyPage,
});

/** Searches custom voices by name and description (docs/interface.md#custom-voices). */
const searchCustomVoices = operation({
  name: 'searchCustomVoices',
  summary: 'Search custom voices by name and description',
  method: 'GET',
  path: '/v1/custom-voices/search',
  request: customVoiceFilters,
  response: customVoicePage,
  failures: [400],
  notFound: emptyPage,
});

/** Gets one custom voice (docs/interface.md#custom-voices). */
export const getCustomVoice = operation({
  name: 'getCustomVoice',
  summary: 'Get a custom voice',
  method: 'GET',
  path: '/v1/custom-voices/{voice_id}',
  request: oneVoice,
  response: customVoice,
  failures: [400, 403, 404],
});

/** Changes the name or description of a custom voice; replies with the changed voice (docs/interface.md#custom-voices). */
const editCustomVoice = operation({
  name: 'editCustomVoice',
  summary: 'Change the name or description of a custom voice',
  method: 'PATCH',
  path: '/v1/custom-voices/{voice_id}',
  request: customVoiceChanges,
  response: customVoice,
  failures: [400, 403, 404, 408],
});

/** Deletes a custom voice (docs/interface.md#custom-voices). */
export const deleteCustomVoice = operation({
  name: 'deleteCustomVoice',
  summary: 'Delete a custom voice',
  method: 'DELETE',
  path: '/v1/custom-voices/{voice_id}',
  request: oneVoice,
  response: nothing,
  reply: 'empty',
  failures: [400, 403, 404],
});

export const customVoiceOperations = {
  createClonedVoice,
  listCustomVoices,
  searchCustomVoices,
  getCustomVoice,
  editCustomVoice,
  deleteCustomVoice,
};
