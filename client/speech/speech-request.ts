import type { RequestOf } from '../interface/operation.js';
import type { createSpeech } from '../interface/operations.js';

/** A speech request with a text of any length. */
export type SpeechRequest = RequestOf<typeof createSpeech>;
