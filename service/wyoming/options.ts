import type { Log } from '../kit/log.js';
import type { SpeechCall } from '../speech/speech-call.js';
import type { SpeechDependencies } from '../speech/start-speech.js';

/** Settings of the Wyoming protocol. */
export interface WyomingOptions {
  /** Address to listen on. */
  host: string;
  port: number;
  /** Name of the account of all requests. */
  account: string;
  /** Name under which zeroconf announces the service in the network. Undefined announces nothing. */
  announce?: string | undefined;
}

/** The objects that the Wyoming server uses. */
export interface WyomingDependencies extends SpeechDependencies {
  /** Returns the caller of a request, and counts the request. @throws ServiceError 429 if the account exceeds its rate */
  callerOf(): SpeechCall['caller'];
  /** Identifier of the account whose voices clients see. */
  account: string;
  log: Log;
}
