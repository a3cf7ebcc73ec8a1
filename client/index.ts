// Lists each public name: `export *` would also publish names that other modules of the client share.
export { z } from '#zod';
export { limitedTo } from './base/abort.js';
export type { CallOptions } from './calls/call-options.js';
export type { Progress } from './calls/progress.js';
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
  type Mark,
  MARK_KEY_FILE,
  MarkSigner,
  newMarkKey,
  readMark,
  type SignedMark,
  verifyApart,
  verifyAudio,
  type Verification,
  withMark,
  withoutMark,
} from './audio/index.js';
export { type Budget, type BudgetOptions, createBudget } from './budget/budget.js';
export type { Client } from './api/client.js';
export type { AudioCache, CacheOptions } from './cache/open-cache.js';
export type { CacheStats } from './cache/audio-store.js';
export { createClient, featuresOf, openCache } from './api/lazy-client.js';
export type { UpstreamChoice } from './upstreams/list.js';
export type { Examination, Features } from './upstreams/upstream.js';
export type { DownloadOptions } from './http/download.js';
export {
  asSpeechError,
  type BudgetFigures,
  type FailedChunk,
  type FailureCode,
  failures,
  mayRetry,
  type Route,
  SpeechError,
  type SpeechErrorDetails,
} from './base/errors.js';
export {
  type Breaker,
  breakerDefaults,
  type BreakerOptions,
  type CircuitChange,
  createBreaker,
} from './speech/breaker.js';
export { makePrivateFolder, PRIVATE_FILE, readOrCreate, tightenFolder } from './base/private-files.js';
export { speakInTurn, type Speaker } from './speech/in-turn.js';
export type { SpeechService } from './speech/service.js';
export type { Takeover, TimedPiece } from './speech/session.js';
export type { Retries } from './speech/attempts.js';
export {
  type AccountPiece,
  type AccountRequest,
  type AccountStreamOptions,
  type SpeakingAccount,
  type SpeakingClient,
  speakWith,
} from './speech/speak-with.js';
export { type Decimal, decimalIn, type Languages, languageNames } from './base/language-values.js';
export { messages } from './base/message-table.js';
export { type Say, type Text, textsOf } from './base/messages.js';
export type { NetworkOptions, TlsOptions } from './http/network.js';
export {
  abridged,
  abridgedText,
  between,
  describeIssues,
  issuesText,
  rule,
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
  type Model,
  models,
  PAGE_SIZE,
  type Phonemes,
  speechRequest,
  USAGE_PAGE_SIZE,
  type Voice,
  type VoiceSetting,
  localSettings,
  longVoiceSettings,
  voiceSettings,
} from './interface/index.js';
export { clientDefaults, type ClientOptions } from './api/options.js';
export { checkRequest } from './interface/check-request.js';
export { checkOperation } from './upstreams/features.js';
export { lazy } from './base/lazy.js';
export { rounded } from './base/rounding.js';
export type { FinishedChunks } from './speech/finished-chunks.js';
export type { PlanOptions } from './speech/plan.js';
export type { Prediction } from './speech/predict.js';
export type { SpeakOptions, Speech, SpokenChunk } from './speech/speak.js';
export type { StreamOptions } from './speech/open-text.js';
export type { SpeechPiece } from './speech/stream.js';
export { figuresReading, localReading, type Reading, type WriteFigures } from './text/reading.js';
export { INTERPRET_AS, SAY_AS, type SayAs, sayAs, type TextPart, withoutMarks } from './text/say-as.js';
export { type Pronunciation, pronunciationList } from './text/pronunciation.js';
export type { SpeechRequest } from './interface/operations.js';
export type { VoiceWish } from './voices/nearest.js';
export type { CompleteChoice, SpeechDefaults, VoiceChoice } from './voices/complete.js';
export { type ChunkOptions, chunkText, cutText, isSpeakable } from './text/chunk.js';
export { plainText } from './text/plain-text.js';
export { readAloud, type TextToRead } from './text/read-aloud.js';
