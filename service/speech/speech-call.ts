import type { operations, RequestOf } from '@herald-speech/client/interface';
import type { Caller } from '../accounts/keys.js';

/** The context of a speech request. */
export interface SpeechCall {
  caller: Caller;
  /** Aborts when the caller hangs up or the service closes. Synthesis stops then. */
  signal: AbortSignal;
}

/** The fields of a native speech request (docs/interface.md#speech). */
export type Utterance = RequestOf<typeof operations.createSpeech>;

/** A speech request of any front end. */
export interface SpeechInput extends Utterance {
  /** At most `MAX_SPEECH_TEXT` UTF-16 code units. A text over 300 is spoken in chunks, which share all other fields. */
  text: string;
  /** Further texts, which may arrive while earlier ones are spoken. Each has at most `MAX_SPEECH_TEXT` UTF-16 code units. */
  more?: AsyncIterable<string>;
  /** Whether the request waits if the queue is full. For protocols whose clients cannot send the request again. */
  waits?: boolean;
  /** Whether the caller gets the audio when all of it is complete. */
  isWhole?: boolean;
  /** Hertz of the audio. Default: the sample rate of the voice. */
  sampleRate?: number;
}
