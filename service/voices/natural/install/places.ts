import path from 'node:path';
import { checkVoiceName } from '../../installed/voice-name.js';

const PARTIAL = '.partial';
const REMOVED = '.removed-';

/** The folders of a voice. All are in one file system, so that a rename moves a voice at once. */
export const placesOf = (folder: string, name: string) => ({
  /** The complete voice. */
  final: path.join(folder, checkVoiceName(name)),
  /** The lock of the process that installs or removes the voice. */
  work: path.join(folder, PARTIAL, name),
  /** The files of an installation in work. */
  draft: path.join(folder, PARTIAL, name, 'voice'),
});

export const partialFolder = (folder: string): string => path.join(folder, PARTIAL);

/** Returns a new name for a voice that was removed, but whose files are not yet deleted. */
export const removedPlace = (folder: string, token: string): string =>
  path.join(folder, PARTIAL, REMOVED + token);

export const isRemovedName = (name: string): boolean => name.startsWith(REMOVED);
