import { lazy } from '@herald-speech/client';
import type * as FleetPackage from '@herald-speech/fleet';
import type { NodeAPI } from 'node-red';
import { optionalPackage } from '../../runtime/optional-package.js';

const PACKAGE = { name: '@herald-speech/fleet', missing: 'fleet-not-installed' } as const;

const load = lazy((): typeof FleetPackage => require('@herald-speech/fleet'));

/** Whether the package of the fleet is installed. Does not load it. */
export function hasFleetPackage(): boolean {
  try {
    return require.resolve(PACKAGE.name) !== '';
  } catch {
    return false;
  }
}

/** Loads the optional package of the fleet. @throws SpeechError `not-configured` if it is missing or damaged */
export const fleetPackage = (RED: NodeAPI): typeof FleetPackage => optionalPackage(RED, PACKAGE, load);
