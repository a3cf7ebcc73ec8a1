import { SpeechError } from '@herald-speech/client';

/** A failure to write into the folder. */
export class FolderError extends SpeechError {
  constructor(error: SpeechError) {
    super(error.code, error.text ?? error.message, { cause: error });
  }
}

const ENDING = new Set(['unauthorized', 'not-configured', 'insecure-connection', 'out-of-credits']);

/** Returns whether each further row would fail in the same way. A budget of a day or month resets, one of a message does not. */
export const endsRun = (error: SpeechError): boolean =>
  error instanceof FolderError || ENDING.has(error.code) || error.budget?.resets !== undefined;
