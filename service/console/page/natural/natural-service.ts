/** Requests for natural voices. */
import {
  cardIn,
  importJobIn,
  type ImportService,
  type Job,
  jobIn,
  type ModelCard,
  naturalList,
  type NaturalList,
  type NativeService,
  nativeStateIn,
} from '@herald-speech/browser';
import { type Api, ApiError } from '../lib/api.js';

const PATH = '/console/api/voices';
const IMPORT_PATH = '/console/api/voice-import';
const NATIVE_PATH = '/console/api/native-runtime';

/** All methods throw an ApiError for an error reply, and an Error without a reply. */
export class NaturalService {
  constructor(private readonly api: Api) {}

  async list(): Promise<NaturalList> {
    return naturalList(await this.api.json('GET', PATH));
  }

  /** Makes the service load the newest list of voices from the internet. */
  async refresh(): Promise<void> {
    await this.api.json('POST', `${PATH}/refresh`);
  }

  async card(name: string, signal: AbortSignal): Promise<ModelCard> {
    return cardIn(await this.api.json('GET', `${pathOf(name)}/card`, { signal }));
  }

  async sample(name: string): Promise<Blob> {
    return (await this.api.send('GET', `${pathOf(name)}/sample`)).blob();
  }

  /** @param card digest of the model card that the user accepted */
  async install(name: string, card: string): Promise<Job> {
    return jobIn(await this.api.json('POST', pathOf(name), { body: { card } }));
  }

  /** Measures an installed voice again. */
  async measure(name: string): Promise<Job> {
    return jobIn(await this.api.json('POST', `${pathOf(name)}/measurement`));
  }

  /** Returns undefined if the service has no job of the voice, for example after a restart. */
  async job(name: string): Promise<Job | undefined> {
    return present(await this.api.json('GET', `${pathOf(name)}/job`).catch(ignoreMissing), jobIn);
  }

  /** Cancels a job, and makes the service forget it. */
  async endJob(name: string): Promise<void> {
    await this.api.json('DELETE', `${pathOf(name)}/job`).catch(ignoreMissing);
  }

  /** Returns the requests of the box of an import. */
  get imports(): ImportService {
    const read = () => this.api.json('GET', IMPORT_PATH).catch(ignoreMissing);
    return {
      start: async (folder) => importJobIn(await this.api.json('POST', IMPORT_PATH, { body: { folder } })),
      read: async () => present(await read(), importJobIn),
      cancel: () => this.api.json('DELETE', IMPORT_PATH).catch(ignoreMissing),
    };
  }

  /** Returns the requests of the box of the native runtime. */
  get native(): NativeService {
    const read = () => this.api.json('GET', NATIVE_PATH).catch(ignoreMissing);
    return {
      read: async () => present(await read(), nativeStateIn),
      change: (change) => this.api.json(change === 'install' ? 'POST' : 'DELETE', NATIVE_PATH),
      cancel: () => this.api.json('DELETE', `${NATIVE_PATH}/job`).catch(ignoreMissing),
    };
  }

  async remove(name: string): Promise<void> {
    await this.api.json('DELETE', pathOf(name));
  }
}

function pathOf(name: string): string {
  return `${PATH}/${encodeURIComponent(name)}`;
}

const present = <Read>(reply: unknown, read: (reply: unknown) => Read): Read | undefined =>
  reply === undefined ? undefined : read(reply);

/** @throws the error unless it means that the service has no such job */
function ignoreMissing(error: unknown): void {
  if (!(error instanceof ApiError && error.status === 404)) throw error;
}
