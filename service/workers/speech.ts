import path from 'node:path';
import type { ReadableStream } from 'node:stream/web';
import type { z } from 'zod';
import type { EnginePlugin } from '../engines/engine.js';
import {
  type Job,
  type Preparation,
  sampleFacts,
  type SpeakJob,
  spokenPiece,
  type SpokenPiece,
} from './jobs.js';
import { WorkerPool, type WorkerPoolOptions } from './worker-pool.js';

export type SpeechOptions = Omit<WorkerPoolOptions, 'file' | 'data'>;

const WORKER = path.join(__dirname, `worker${path.extname(__filename)}`);

/** Everything that takes time, done in workers. */
export class Speech {
  readonly #pool: WorkerPool;

  private constructor(pool: WorkerPool) {
    this.#pool = pool;
  }

  /**
   * Prepares the engines; their workers start with the first jobs.
   * @param modules Where the engines beside the built-in ones come from, for a worker to load them again.
   */
  static async start(
    engines: readonly EnginePlugin[],
    modules: readonly string[],
    options: SpeechOptions,
  ): Promise<Speech> {
    const prepared = engines.map(async (engine) => [engine.id, await engine.prepare()] as const);
    const data: Preparation = { modules: [...modules], prepared: new Map(await Promise.all(prepared)) };
    return new Speech(new WorkerPool({ ...options, file: WORKER, data }));
  }

  /**
   * Speaks, sentence by sentence.
   * @throws WorkerError, here or while the pieces are read
   */
  speak(job: Omit<SpeakJob, 'kind'>, signal: AbortSignal): ReadableStream<SpokenPiece> {
    const whole: Job = { kind: 'speak', ...job };
    return this.#pool.run(whole, (output) => spokenPiece.parse(output), signal);
  }

  /**
   * Listens to a clone sample.
   * @throws WorkerError `refused` for a sample that can't be used
   */
  async analyse(file: Uint8Array, signal: AbortSignal): Promise<z.output<typeof sampleFacts>> {
    const job: Job = { kind: 'analyse', file };
    const outputs = this.#pool.run(job, (output) => sampleFacts.parse(output), signal);
    for await (const facts of outputs) return facts;
    throw new Error('the analysis gave nothing');
  }

  async close(): Promise<void> {
    await this.#pool.close();
  }
}
