import { stat } from 'node:fs/promises';
import { explain, ModelError } from './errors.js';
import { NeuralModel } from './model.js';
import type { Runtime } from './runtime.js';

interface Loaded {
  model: NeuralModel;
  /** Changes with the file. */
  version: string;
  timer?: NodeJS.Timeout;
}

interface ModelsOptions {
  maxModels: number;
  keepMs: number;
  memoryBytes: number;
}

/**
 * Keeps models in memory for `keepMs` after their last use, at most `maxModels`. The least recently used model leaves first.
 * Callers use one model at a time.
 */
export class NeuralModels {
  readonly #runtime: Runtime;
  readonly #options: ModelsOptions;
  readonly #onEmpty: () => void;
  /** By file, the least recently used first. */
  readonly #loaded = new Map<string, Loaded>();
  /** Models that have run: the first run takes longer. */
  readonly #used = new WeakSet<NeuralModel>();
  #hasUnloaded = false;
  #isFragmented = false;

  constructor(runtime: Runtime, options: ModelsOptions, onEmpty: () => void) {
    this.#runtime = runtime;
    this.#options = options;
    this.#onEmpty = onEmpty;
  }

  /**
   * Whether a model did not fit into empty memory that other models had used. They leave gaps, and a process with new memory
   * may have room for it.
   */
  get isFragmented(): boolean {
    return this.#isFragmented;
  }

  /**
   * Runs `work` with the model of a file, which is loaded if necessary.
   * @returns the result, and the milliseconds that the model took to load
   * @throws ModelError
   */
  async use<Result>(
    file: string,
    work: (model: NeuralModel, isFirstRun: boolean) => Promise<Result>,
  ): Promise<[Result, loadMs: number]> {
    const before = performance.now();
    const { model, isNew } = await this.#get(file);
    const loadMs = isNew ? performance.now() - before : 0;
    try {
      const result = await work(model, !this.#used.has(model));
      this.#used.add(model);
      return [result, loadMs];
    } catch (error) {
      throw explain(file, 'run', error, this.#options.memoryBytes);
    } finally {
      this.#keep(file);
    }
  }

  /** Loads the model of a file, which leaves after `keepMs`. @throws ModelError */
  async load(file: string): Promise<void> {
    await this.#get(file);
    this.#keep(file);
  }

  /** Whether no model is in memory. */
  get isEmpty(): boolean {
    return this.#loaded.size === 0;
  }

  async #get(file: string): Promise<{ model: NeuralModel; isNew: boolean }> {
    const version = await versionOf(file);
    const loaded = this.#loaded.get(file);
    if (loaded !== undefined) {
      clearTimeout(loaded.timer);
      if (loaded.version === version) return { model: loaded.model, isNew: false };
      await this.#release(file);
    }
    while (this.#loaded.size >= this.#options.maxModels) await this.#releaseOldest();
    const model = await this.#load(file);
    this.#loaded.set(file, { model, version });
    return { model, isNew: true };
  }

  /** If the memory is full, other models leave. */
  async #load(file: string): Promise<NeuralModel> {
    for (;;) {
      try {
        return await NeuralModel.load(file, this.#runtime);
      } catch (cause) {
        const error = explain(file, 'load', cause, this.#options.memoryBytes);
        if (!error.isOutOfMemory) throw error;
        if (this.#loaded.size === 0) {
          this.#isFragmented = this.#hasUnloaded;
          throw error;
        }
        await this.#releaseOldest();
      }
    }
  }

  /** Marks the model as the last used, and starts its time. */
  #keep(file: string): void {
    const loaded = this.#loaded.get(file);
    if (loaded === undefined) return;
    this.#loaded.delete(file);
    const timer = setTimeout(
      () => void this.#release(file).then(() => this.#reportEmpty()),
      this.#options.keepMs,
    );
    this.#loaded.set(file, { ...loaded, timer });
  }

  #reportEmpty(): void {
    if (this.#loaded.size === 0) this.#onEmpty();
  }

  async #releaseOldest(): Promise<void> {
    const [oldest] = this.#loaded.keys();
    if (oldest !== undefined) await this.#release(oldest);
  }

  async #release(file: string): Promise<void> {
    const loaded = this.#loaded.get(file);
    if (loaded === undefined) return;
    clearTimeout(loaded.timer);
    this.#loaded.delete(file);
    this.#hasUnloaded = true;
    await loaded.model.release();
  }
}

async function versionOf(file: string): Promise<string> {
  try {
    const { mtimeMs, size, ino } = await stat(file);
    return [mtimeMs, size, ino].join();
  } catch (cause) {
    throw new ModelError(file, 'the file is missing. Install the voice again', false, { cause });
  }
}
