import { schemas } from './lazy-schemas.js';
import { operation, type RequestOf } from './operation.js';

/** The facts that most operations share. */
const common = {
  reply: 'json',
  streams: false,
  idempotent: true,
  bucket: 'general',
  paid: false,
} as const;
const emptyPage = { items: [], total: 0 };

/** Creates speech from at most 300 characters (docs/interface.md#speech). A lost reply may have been charged. */
export const createSpeech = operation({
  ...common,
  name: 'createSpeech',
  summary: 'Create speech',
  method: 'POST',
  path: '/v1/text-to-speech/{voice_id}',
  request: () => schemas().speech,
  response: () => schemas().speechReply,
  reply: 'audio',
  paid: true,
  failures: [400, 402, 403, 404, 408],
});

/** A speech request with a text of any length. */
export type SpeechRequest = RequestOf<typeof createSpeech>;

/** Creates speech and streams it. `call` resolves with the complete audio after the last byte. */
export const streamSpeech = operation({
  ...common,
  name: 'streamSpeech',
  summary: 'Create speech and stream it',
  method: 'POST',
  path: '/v1/text-to-speech/{voice_id}/stream',
  request: () => schemas().speech,
  response: () => schemas().speechReply,
  reply: 'audio',
  streams: true,
  paid: true,
  failures: [400, 402, 403, 404, 408],
});

/** Predicts the seconds of audio for a text, without a charge (docs/interface.md#speech). */
export const predictDuration = operation({
  ...common,
  name: 'predictDuration',
  summary: 'Predict the duration of speech, without a charge',
  method: 'POST',
  path: '/v1/predict-duration/{voice_id}',
  request: () => schemas().utterance,
  response: () => schemas().predictedDuration,
  failures: [400, 403, 404, 408],
});

/** Searches preset voices by filters (docs/interface.md#voice-search). */
export const searchVoices = operation({
  ...common,
  name: 'searchVoices',
  summary: 'Search preset voices',
  method: 'GET',
  path: '/v1/voices/search',
  request: () => schemas().voiceFilters,
  response: () => schemas().voicePage,
  failures: [400],
  notFound: emptyPage,
});

/** Lists all preset voices in pages (docs/interface.md#voices). */
export const listVoices = operation({
  ...common,
  name: 'listVoices',
  summary: 'List preset voices',
  method: 'GET',
  path: '/v1/voices',
  request: () => schemas().paging,
  response: () => schemas().voicePage,
  failures: [400],
  notFound: emptyPage,
});

/** Gets one preset voice (docs/interface.md#voices). */
export const getVoice = operation({
  ...common,
  name: 'getVoice',
  summary: 'Get a preset voice',
  method: 'GET',
  path: '/v1/voices/{voice_id}',
  request: () => schemas().oneVoice,
  response: () => schemas().voice,
  failures: [400, 404],
});

/** Creates a custom voice from a sample (docs/interface.md#clone). A repeated call would create a second voice. */
export const createClonedVoice = operation({
  ...common,
  name: 'createClonedVoice',
  summary: 'Create a custom voice from a sample',
  method: 'POST',
  path: '/v1/custom-voices/cloned-voice',
  body: 'multipart',
  request: () => schemas().clone,
  response: () => schemas().clonedVoice,
  idempotent: false,
  bucket: 'clone',
  failures: [400, 403, 408, 413, 415],
});

/** Lists custom voices in pages (docs/interface.md#custom-voices). */
export const listCustomVoices = operation({
  ...common,
  name: 'listCustomVoices',
  summary: 'List custom voices',
  method: 'GET',
  path: '/v1/custom-voices',
  request: () => schemas().paging,
  response: () => schemas().customVoicePage,
  failures: [400],
  notFound: emptyPage,
});

/** Searches custom voices by name and description (docs/interface.md#custom-voices). */
const searchCustomVoices = operation({
  ...common,
  name: 'searchCustomVoices',
  summary: 'Search custom voices by name and description',
  method: 'GET',
  path: '/v1/custom-voices/search',
  request: () => schemas().customVoiceFilters,
  response: () => schemas().customVoicePage,
  failures: [400],
  notFound: emptyPage,
});

/** Gets one custom voice (docs/interface.md#custom-voices). */
export const getCustomVoice = operation({
  ...common,
  name: 'getCustomVoice',
  summary: 'Get a custom voice',
  method: 'GET',
  path: '/v1/custom-voices/{voice_id}',
  request: () => schemas().oneVoice,
  response: () => schemas().customVoice,
  failures: [400, 403, 404],
});

/** Changes the name or description of a custom voice; replies with the changed voice (docs/interface.md#custom-voices). */
const editCustomVoice = operation({
  ...common,
  name: 'editCustomVoice',
  summary: 'Change the name or description of a custom voice',
  method: 'PATCH',
  path: '/v1/custom-voices/{voice_id}',
  request: () => schemas().customVoiceChanges,
  response: () => schemas().customVoice,
  failures: [400, 403, 404, 408],
});

/** Deletes a custom voice (docs/interface.md#custom-voices). */
export const deleteCustomVoice = operation({
  ...common,
  name: 'deleteCustomVoice',
  summary: 'Delete a custom voice',
  method: 'DELETE',
  path: '/v1/custom-voices/{voice_id}',
  request: () => schemas().oneVoice,
  response: () => schemas().nothing,
  reply: 'empty',
  failures: [400, 403, 404],
});

/** Gets the balance of credits (docs/interface.md#credits); null if the service counts no credits. */
export const getCredits = operation({
  ...common,
  name: 'getCredits',
  summary: 'Get the balance of credits',
  method: 'GET',
  path: '/v1/credits',
  request: () => schemas().noFields,
  response: () => schemas().credits,
  failures: [],
});

/** Reports the minutes used, by time bucket (docs/interface.md#usage). */
const getUsage = operation({
  ...common,
  name: 'getUsage',
  summary: 'Report the minutes used, by time',
  method: 'GET',
  path: '/v1/usage',
  request: () => schemas().usageQuery,
  response: () => schemas().usage,
  failures: [400],
});

/** Reports the minutes used, by voice and day, over at most 30 days (docs/interface.md#voice-usage). */
export const getVoiceUsage = operation({
  ...common,
  name: 'getVoiceUsage',
  summary: 'Report the minutes used, by voice and day',
  method: 'GET',
  path: '/v1/voice-usage',
  request: () => schemas().voiceUsageQuery,
  response: () => schemas().voiceUsage,
  failures: [400],
});

/** All operations of the interface. To add an operation to the client, add it here. */
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
