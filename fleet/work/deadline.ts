import { SpeechError } from '@herald-speech/client';

/** Returns the error with which a submitter does its task itself. */
export function apart(reason: string, cause?: unknown): SpeechError {
  return new SpeechError('no-connection', reason, { cause });
}

/** Rejects as `no-connection` if `command` does not settle within `milliseconds`. */
export async function inTime<Result>(command: Promise<Result>, milliseconds: number): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(apart(`Redis did not reply within ${milliseconds} ms`)), milliseconds);
  });
  try {
    return await Promise.race([command, late]);
  } finally {
    clearTimeout(timer);
  }
}
