/** Maximum size of the cache in bytes. A sample takes about 150 KB. */
const MAX_SAMPLE_CACHE = 10_000_000;

/** Caches the most recently used samples. Concurrent requests for one sample create it only once. */
export class SampleCache {
  readonly #limit: number;
  /** Ordered by last use, least recent first. */
  readonly #samples = new Map<string, Buffer>();
  readonly #pending = new Map<string, Promise<Buffer>>();
  #bytes = 0;

  /** @param limit maximum total size in bytes */
  constructor(limit = MAX_SAMPLE_CACHE) {
    this.#limit = limit;
  }

  /** Returns the sample with this name and creates it if necessary. Failures are not cached. */
  async get(name: string, create: () => Promise<Buffer>): Promise<Buffer> {
    const sample = this.#samples.get(name) ?? (await this.#createOnce(name, create));
    this.#forget(name);
    this.#samples.set(name, sample);
    this.#bytes += sample.length;
    for (const oldest of this.#samples.keys()) {
      if (this.#bytes <= this.#limit) break;
      this.#forget(oldest);
    }
    return sample;
  }

  async #createOnce(name: string, create: () => Promise<Buffer>): Promise<Buffer> {
    const sample = this.#pending.get(name) ?? create();
    this.#pending.set(name, sample);
    try {
      return await sample;
    } finally {
      this.#pending.delete(name);
    }
  }

  #forget(name: string): void {
    this.#bytes -= this.#samples.get(name)?.length ?? 0;
    this.#samples.delete(name);
  }
}
