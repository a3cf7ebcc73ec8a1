import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type LocalService, useLocalService } from '../../nodes/account/local-service.js';

/**
 * Keeps one share in the local service for all tests of a file, in a data folder of its own: the accounts of its flows
 * join it, so that it is started once. To be called inside `describe`.
 */
export function keepLocalService(): void {
  const folder = useDataFolder();
  let share: LocalService | undefined;
  before(() => {
    share = useLocalService(folder(), () => undefined);
  });
  after(() => share?.release());
}

/** A data folder that accounts take, gone after the tests. To be called inside `describe`. */
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
