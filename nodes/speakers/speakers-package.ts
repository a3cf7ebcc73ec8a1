import { lazy, SpeechError } from '@herald-speech/client';
import type * as SpeakersPackage from '@herald-speech/speakers';
import type { NodeAPI } from 'node-red';
import { say } from '../runtime/messages.js';

const PACKAGE = '@herald-speech/speakers';

const load = lazy((): typeof SpeakersPackage => require('@herald-speech/speakers'));

/**
 * Loads the optional package of the speakers.
 * @throws SpeechError `not-configured` with the command of the installation, or with the problem of a damaged one
 */
export function speakersPackage({ settings: { userDir = '~/.node-red' } }: NodeAPI): typeof SpeakersPackage {
  try {
    return load();
  } catch (cause) {
    const problem = cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : String(cause);
    const command = `npm install ${PACKAGE}`;
    throw new SpeechError(
      'not-configured',
      say('speakers-not-installed', { command, folder: userDir, problem }),
      { cause },
    );
  }
}
