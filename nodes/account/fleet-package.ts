import { lazy, SpeechError } from '@herald-speech/client';
import type * as FleetPackage from '@herald-speech/fleet';
import type { NodeAPI } from 'node-red';
import { say } from '../runtime/messages.js';

const PACKAGE = '@herald-speech/fleet';

const load = lazy((): typeof FleetPackage => require('@herald-speech/fleet'));

/** Whether the package of the fleet is installed. Does not load it. */
export function hasFleetPackage(): boolean {
  try {
    return require.resolve(PACKAGE) !== '';
  } catch {
    return false;
  }
}

/**
 * Loads the optional package of the fleet.
 * @throws SpeechError `not-configured` with the command of the installation, or with the problem of a damaged one
 */
export function fleetPackage({ settings: { userDir = '~/.node-red' } }: NodeAPI): typeof FleetPackage {
  try {
    return load();
  } catch (cause) {
    const problem = cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : String(cause);
    const command = `npm install ${PACKAGE}`;
    throw new SpeechError(
      'not-configured',
      say('fleet-not-installed', { command, folder: userDir, problem }),
      {
        cause,
      },
    );
  }
}
