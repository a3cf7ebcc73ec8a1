import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type LocalService, useLocalService } from '../../../nodes/account/local/local-service.js';
import { shared } from '../shared.js';

/** Longer than a start takes on a busy computer. */
const READY_MS = 120_000;

interface KeptService {
  folder: string;
  share: LocalService;
}

/** A mocha process that exits without a call of `end` closes the input of the service, which then ends. */
const keptService = shared<KeptService>(
  async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'herald-kept-'));
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    return { folder, share: useLocalService(folder, () => undefined) };
  },
  async ({ folder, share }) => {
    await share.release();
    await rm(folder, { recursive: true, force: true });
  },
);

/**
 * Lets the accounts of a suite use the local service of this mocha process, which starts once for all suites. Its data
 * folder keeps the data of earlier suites: custom voices, usage, credits. Call it inside `describe`.
 */
export function shareLocalService(): void {
  useFolder(async () => {
    const { folder, share } = await keptService();
    await share.ready(AbortSignal.timeout(READY_MS));
    return folder;
  });
}

/**
 * Keeps one local service with a separate data folder for all tests of a suite. The accounts in the flows share this
 * service, so it starts once. Call it inside `describe`. A suite without data of its own needs only `shareLocalService`.
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
  const folder = useFolder(() => mkdtemp(path.join(os.tmpdir(), 'herald-nodes-')));
  after(() => rm(folder(), { recursive: true, force: true }));
  return folder;
}

/** Sets the data folder of the accounts for the tests of a suite. */
function useFolder(create: () => Promise<string>): () => string {
  const former = process.env['HERALD_DATA'];
  let folder = '';
  before(async () => {
    folder = await create();
    process.env['HERALD_DATA'] = folder;
  });
  after(() => {
    if (former === undefined) delete process.env['HERALD_DATA'];
    else process.env['HERALD_DATA'] = former;
  });
  return () => folder;
}
