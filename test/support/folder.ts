import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

/**
 * Creates an empty folder for each test of a suite, and removes it after the test. Returns a function that joins names to the
 * path of the folder.
 */
export function useFolder(): (...names: string[]) => string {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'herald-test-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
  return (...names) => path.join(folder, ...names);
}
