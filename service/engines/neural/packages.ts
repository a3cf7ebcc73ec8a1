import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Resolve } from '../espeak/packages.js';

/** Id of the engine of the natural voices. */
export const NEURAL = 'neural';
const PACKAGE = '@herald-speech/neural';
const RUNTIME = 'onnxruntime-web';

/** How to add the engine of the natural voices. A checkout contains the package without its dependencies. */
export const NEURAL_HINT = `For natural voices run "${isCheckout() ? 'npm run natural" in the repository' : `npm install ${PACKAGE}"`}.`;

/** Whether this file is in a checkout of the repository, in `service/dist/engines/neural/` there. */
function isCheckout(): boolean {
  return existsSync(path.resolve(__dirname, '../../../../scripts/natural.mjs'));
}

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
    const program = path.join(path.dirname(resolve(`${PACKAGE}/package.json`)), 'dist', 'program.js');
    // An installation that was interrupted has the package without the runtime.
    createRequire(program).resolve(RUNTIME);
    return program;
  } catch {
    return undefined;
  }
}
