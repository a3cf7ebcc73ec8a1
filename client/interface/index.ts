/** The interface of the service as data: operations, their schemas, models and limits. Loads no HTTP client. */
export { abridged, abridgedText, describeIssues, issuesText, rule } from './describe-issues.js';
export { between } from './parts.js';
export { speechRequest } from './speech-request.js';
export {
  MAX_NAME_LENGTH,
  MAX_SAMPLE_BYTES,
  MAX_TEXT_LENGTH,
  PAGE_SIZE,
  SPEAKABLE,
  USAGE_PAGE_SIZE,
} from './limits.js';
export {
  DEFAULT_MODEL,
  type LocalSetting,
  localSettings,
  type Model,
  models,
  type VoiceSetting,
  longVoiceSettings,
  voiceSettings,
} from './models.js';
export {
  type Bucket,
  type Operation,
  operation,
  pathFields,
  type RequestOf,
  type ResponseOf,
} from './operation.js';
export { type OperationName, operations } from './operations.js';
export type { CustomVoice, Phonemes, Voice } from './operations.js';
export { lazy } from '../base/lazy.js';
export { messages } from '../base/message-table.js';
export { audioProblem, type Say, type Text, text, textsOf } from '../base/messages.js';
export { fieldOf, listOf, nameIn, numberOf, printable, textOf } from '../base/values.js';
