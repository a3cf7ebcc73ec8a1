/** The service's interface as data: operations, their schemas, models and limits. Loads no HTTP client. */
export { abridged, describeIssues } from './describe-issues.js';
export {
  type Bucket,
  type Operation,
  operation,
  pathFields,
  type RequestOf,
  type ResponseOf,
} from './operation.js';
export { type OperationName, operations } from './operations.js';
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
