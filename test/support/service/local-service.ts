import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type LocalService, useLocalService } from '../../../nodes/account/local/local-service.js';

/**
 * Keeps one local service with a separate data folder for all tests of a suite. The accounts in the flows share this
 * service, so it starts once. Call it inside `describe`.
 */
export function keepLocalService(): void {
  const folder = useDataFolder();
  let share: LocalService | undefined;
  before(() => {
    share = useLocalService(folder(), () => undefined);
  });
  after(() => share?.release());
}

/** Creates a data folder for the accounts of a suite, and removes it after the tests. Call it inside `describe`. */
export function useDataFolder(): () => string {
  const former = process.env['HERALD_DATA'];
  let folder = '';
  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'herald-nodes-'));
    process.env['HERALD_DATA'] = folder;
  });
  after(async () => {
    if (former === undefined) delete process.env['HERALD_DATA'];
    else process.env['HERALD_DATA'] = former;
    await rm(folder, { recursive: true, force: true });
  });
  return () => folder;
}
