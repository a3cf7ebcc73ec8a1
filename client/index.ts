// Names are listed, because loaders that import CommonJS as ES modules do not see names behind `export *`.
export { z } from 'zod';
export { type CallOptions, type Progress } from './calls/account.js';
export {
  AudioError,
  inspectAudio,
  joinAudio,
  sniffAudio,
  readMp3Frame,
  mp3InfoFrame,
  parseWav,
  wavHeader,
  type WavFormat,
} from './audio/index.js';
export { type Client, createClient } from './client.js';
export type { DownloadOptions } from './http/download.js';
export {
  asSpeechError,
  type FailedChunk,
  type FailureCode,
  failures,
  type Route,
  SpeechError,
  type SpeechErrorDetails,
} from './errors.js';
export type { NetworkOptions, TlsOptions } from './http/network.js';
export {
  abridged,
  describeIssues,
  type Bucket,
  type Operation,
  operation,
  pathFields,
  type RequestOf,
  type ResponseOf,
  type OperationName,
  operations,
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
} from './interface/index.js';
export { clientDefaults, type ClientOptions } from './options.js';
export { checkRequest } from './http/request.js';
export { type Prediction, type Speech, type SpeechRequest, type SpokenChunk } from './speech/speak.js';
export { chunkText, type ChunkOptions, cutText } from './text/chunk.js';
