/** Requests for natural voices. */
import {
  cardIn,
  type ImportJob,
  importJobIn,
  type Job,
  jobIn,
  type ModelCard,
  naturalList,
  type NaturalList,
  type NativeRuntime,
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
    const job = await this.api.json('GET', `${pathOf(name)}/job`).catch(ignoreMissing);
    return job === undefined ? undefined : jobIn(job);
  }

  /** Cancels a job, and makes the service forget it. */
  async endJob(name: string): Promise<void> {
    await this.api.json('DELETE', `${pathOf(name)}/job`).catch(ignoreMissing);
  }

  /** Starts the import of a folder on the computer of the service. */
  async startImport(folder: string): Promise<ImportJob> {
    return importJobIn(await this.api.json('POST', IMPORT_PATH, { body: { folder } }));
  }

  /** Returns undefined if the service has no import, for example after its cancellation. */
  async importJob(): Promise<ImportJob | undefined> {
    const job = await this.api.json('GET', IMPORT_PATH).catch(ignoreMissing);
    return job === undefined ? undefined : importJobIn(job);
  }

  /** Cancels the import. */
  async endImport(): Promise<void> {
    await this.api.json('DELETE', IMPORT_PATH).catch(ignoreMissing);
  }

  /** Returns undefined for a service without such a runtime. */
  async native(): Promise<NativeRuntime | undefined> {
    const state = await this.api.json('GET', NATIVE_PATH).catch(ignoreMissing);
    return state === undefined ? undefined : nativeStateIn(state);
  }

  /** Starts the installation or the removal of the native runtime. */
  async changeNative(change: 'install' | 'remove'): Promise<void> {
    await this.api.json(change === 'install' ? 'POST' : 'DELETE', NATIVE_PATH);
  }

  /** Cancels the change of the native runtime. */
  async endNative(): Promise<void> {
    await this.api.json('DELETE', `${NATIVE_PATH}/job`).catch(ignoreMissing);
  }

  async remove(name: string): Promise<void> {
    await this.api.json('DELETE', pathOf(name));
  }
}

function pathOf(name: string): string {
  return `${PATH}/${encodeURIComponent(name)}`;
}

/** @throws the error unless it means that the service has no such job */
function ignoreMissing(error: unknown): void {
  if (!(error instanceof ApiError && error.status === 404)) throw error;
}
