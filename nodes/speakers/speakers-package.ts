import { lazy } from '@herald-speech/client';
import type * as SpeakersPackage from '@herald-speech/speakers';
import type { NodeAPI } from 'node-red';
import { optionalPackage } from '../runtime/optional-package.js';

const PACKAGE = { name: '@herald-speech/speakers', missing: 'speakers-not-installed' } as const;

const load = lazy((): typeof SpeakersPackage => require('@herald-speech/speakers'));

/** Loads the optional package of the speakers. @throws SpeechError `not-configured` if it is missing or damaged */
export const speakersPackage = (RED: NodeAPI): typeof SpeakersPackage => optionalPackage(RED, PACKAGE, load);
