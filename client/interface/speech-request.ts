import { longSpeech } from './speech.js';

/** A speech request with a text of any length, as `speak` and `predict` accept it. The schema is built on first use. */
export declare const speechRequest: ReturnType<typeof longSpeech>;
Object.defineProperty(module.exports, 'speechRequest', { enumerable: true, get: longSpeech });
