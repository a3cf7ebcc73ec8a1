import path from 'node:path';
import type { Resolve } from '../espeak/packages.js';

/** Id of the engine of the natural voices. */
export const NEURAL = 'neural';
const PACKAGE = '@herald-speech/neural';

/** How to add the engine of the natural voices. */
export const NEURAL_HINT = `For natural voices run "npm install ${PACKAGE}".`;

/** Folders of the natural voices. */
export interface NaturalFolders {
  /** The installed voices. May be read-only and shared. */
  folder: string;
  /** Measurements of the voices on this machine. */
  measurements: string;
}

/** Whether the engine of the natural voices is installed; otherwise `NEURAL_HINT` explains how to add it. */
export function hasNeural(resolve: Resolve = require.resolve): boolean {
  return findProgram(resolve) !== undefined;
}

/** Returns the path of the program of the neural process. Loads nothing. @throws Error with `NEURAL_HINT` */
export function neuralProgram(resolve: Resolve = require.resolve): string {
  const program = findProgram(resolve);
  if (program === undefined) throw new Error(`the engine of the natural voices is missing. ${NEURAL_HINT}`);
  return program;
}

function findProgram(resolve: Resolve): string | undefined {
  try {
    return path.join(path.dirname(resolve(`${PACKAGE}/package.json`)), 'dist', 'program.js');
  } catch {
    return undefined;
  }
}
