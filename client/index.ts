export { z } from 'zod';
export { type CallOptions, type Progress } from './account.js';
export { AudioError } from './audio/audio-error.js';
export { inspectAudio, joinAudio, sniffAudio } from './audio/join.js';
export { readFrame as readMp3Frame } from './audio/mp3-frame.js';
export { infoFrame as mp3InfoFrame } from './audio/mp3-info.js';
export { parseWav, wavHeader } from './audio/wav.js';
export type { WavFormat } from './audio/wav-format.js';
export { type Client, createClient } from './client.js';
export type { DownloadOptions } from './download.js';
export {
  asSpeechError,
  type FailedChunk,
  type FailureCode,
  failures,
  type Route,
  SpeechError,
  type SpeechErrorDetails,
} from './errors.js';
export type { NetworkOptions, TlsOptions } from './network.js';
export {
  type Bucket,
  type Operation,
  operation,
  pathFields,
  type RequestOf,
  type ResponseOf,
} from './operation.js';
export { type OperationName, operations } from './operations.js';
export { clientDefaults, type ClientOptions } from './options.js';
export { abridged, checkRequest, describeIssues } from './request.js';
export {
  type CustomVoice,
  DEFAULT_MODEL,
  MAX_NAME_LENGTH,
  MAX_SAMPLE_BYTES,
  MAX_TEXT_LENGTH,
  models,
  PAGE_SIZE,
  type Phonemes,
  speechRequest,
  USAGE_PAGE_SIZE,
  type Voice,
  type VoiceSetting,
  voiceSettings,
} from './schemas.js';
export { type Prediction, type Speech, type SpeechRequest, type SpokenChunk } from './speech.js';
export { chunkText, type ChunkOptions, cutText } from './text/chunk.js';
