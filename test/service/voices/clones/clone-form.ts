import { toneFile } from '../../../support/service/service.js';

/** Returns a WAV file with a tone. @param pitch in hertz */
export const sample = (pitch = 120, seconds = 2) => Buffer.from(toneFile(pitch, seconds));

/** Returns the form of a clone request. A Buffer becomes a file. */
export function form(fields: Record<string, string | Buffer | undefined>, fileName = 'sample.wav'): FormData {
  const result = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') result.append(name, value);
    else if (value !== undefined) result.append(name, new Blob([Uint8Array.from(value)]), fileName);
  }
  return result;
}
