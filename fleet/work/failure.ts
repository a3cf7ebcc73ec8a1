import { asSpeechError, type FailureCode, failures, SpeechError, type Text } from '@herald-speech/client';

/** A SpeechError as plain JSON data. Neither it nor a SpeechError contains a key. */
interface Failure {
  code: FailureCode;
  message: string | Text;
  details: Pick<
    SpeechError,
    'operation' | 'status' | 'attempts' | 'retryAfter' | 'chunk' | 'service' | 'budget'
  >;
}

/** Returns an error as JSON. Its cause and stack stay in this process. */
export function encodeFailure(thrown: unknown): string {
  const error = asSpeechError(thrown);
  const { code, operation, status, attempts, retryAfter, chunk, service, budget } = error;
  const details = { operation, status, attempts, retryAfter, chunk, service, budget };
  return JSON.stringify({ code, message: error.text ?? error.message, details } satisfies Failure);
}

/** Returns the error of `encodeFailure`. A member with another version may send an unknown code: `internal`. */
export function decodeFailure(json: string): SpeechError {
  const { code, message, details }: Failure = JSON.parse(json);
  return new SpeechError(code in failures ? code : 'internal', message, details);
}
