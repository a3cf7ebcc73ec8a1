import { SpeechError } from '@herald-speech/client';
import type { NodeAPI } from 'node-red';
import { say } from './messages.js';

/**
 * Loads a package that a user may not have installed.
 * @param missing the error text, with the command of the installation
 * @throws SpeechError `not-configured` with the command, or with the problem of a damaged installation
 */
export function optionalPackage<Package>(
  { settings: { userDir = '~/.node-red' } }: NodeAPI,
  { name, missing }: { name: string; missing: 'fleet-not-installed' | 'speakers-not-installed' },
  load: () => Package,
): Package {
  try {
    return load();
  } catch (cause) {
    const problem = cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : String(cause);
    const command = `npm install ${name}`;
    throw new SpeechError('not-configured', say(missing, { command, folder: userDir, problem }), { cause });
  }
}
