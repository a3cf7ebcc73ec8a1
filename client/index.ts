export { z } from 'zod';
export { type CallOptions, type Progress } from './calls/account.js';
export * from './audio/index.js';
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
export * from './interface/index.js';
export { clientDefaults, type ClientOptions } from './options.js';
export { checkRequest } from './http/request.js';
export { type Prediction, type Speech, type SpeechRequest, type SpokenChunk } from './speech/speak.js';
export { chunkText, type ChunkOptions, cutText } from './text/chunk.js';
