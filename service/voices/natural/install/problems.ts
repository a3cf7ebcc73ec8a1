import path from 'node:path';
import { asNaturalVoiceError } from '../../installed/errors.js';
import { readVoice } from '../../installed/installed-voice.js';
import { digestsOf } from '../transfer/digests.js';

/**
 * Checks record, config and the digests of all files of a voice.
 * @returns the problems; empty for a whole voice
 * @throws NaturalVoiceError `cancelled`
 */
export async function voiceProblems(folder: string, signal: AbortSignal): Promise<string[]> {
  try {
    const { record } = readVoice(folder);
    const checks = Object.entries(record.files).map(async ([file, { sha256 }]) => {
      const found = await digestsOf(path.join(folder, file), signal);
      const fix = 'the file changed after the installation: install the voice again';
      return found.sha256 === sha256 ? [] : [`${file}: SHA-256 ${found.sha256}, expected ${sha256}; ${fix}`];
    });
    return (await Promise.all(checks)).flat();
  } catch (error) {
    if (signal.aborted) throw asNaturalVoiceError(error, path.basename(folder), signal);
    return [error instanceof Error ? error.message : String(error)];
  }
}
