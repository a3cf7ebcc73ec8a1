import {
  figuresReading,
  lazy,
  localReading,
  type Reading,
  SpeechError,
  type WriteFigures,
} from '@herald-speech/client';
import { say } from '../runtime/messages.js';
import { serviceOf } from './services.js';
import type { SavedSpeech } from './settings.js';

const PACKAGE = '@herald-speech/local-service';

/** The rules of the local service, which is optional for the nodes (docs/decisions/0194-figures-as-words-for-hosted-services.md). */
interface Rules {
  readPart: WriteFigures;
}

/** Loaded with the first text that needs them: the tables of a language take time and memory. */
const rules = lazy((): Rules => {
  try {
    return require('@herald-speech/local-service/reading');
  } catch (cause) {
    throw new SpeechError('not-configured', say('figures-not-installed', { package: PACKAGE }), { cause });
  }
});

/** Writes figures as words, with the rules of the local service. A text fails as `not-configured` without its package. */
export const wordsReading: Reading = figuresReading((...part) => rules().readPart(...part));

/** Returns whether the rules are installed. Loads them. */
export function canWriteFigures(): boolean {
  try {
    rules();
    return true;
  } catch {
    return false;
  }
}

/** The saved properties that decide about the reading. */
export interface SavedReading extends Pick<SavedSpeech, 'figuresAsWords'> {
  service?: unknown;
}

/** Returns the reading of an account with a remote service; undefined if the service reads figures for itself. */
export function remoteReading({ figuresAsWords }: SavedReading): Reading | undefined {
  // "Try it" and the dialog's test send texts.
  return figuresAsWords === true || figuresAsWords === 'true' ? wordsReading : undefined;
}

/** Returns the reading of an account; undefined if its service reads figures for itself. */
export const readingOf = (saved: SavedReading): Reading | undefined =>
  serviceOf(saved) === 'local' ? localReading : remoteReading(saved);
