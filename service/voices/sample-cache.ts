/** Bytes of sound in memory at most; a sample takes about 150 KB. */
export const MAX_SAMPLE_CACHE = 10_000_000;

/** Keeps what was heard last, within a bound, and makes a thing once when several ask for it at the same time. */
export class SampleCache {
  /** The first in the map is the longest unheard. */
  readonly #samples = new Map<string, Buffer>();
  readonly #making = new Map<string, Promise<Buffer>>();
  #bytes = 0;

  /** @param limit bytes of all samples together */
  constructor(private readonly limit = MAX_SAMPLE_CACHE) {}

  /** The sample of that name, made on demand; a failure is not kept. */
  async get(name: string, make: () => Promise<Buffer>): Promise<Buffer> {
    const sample = this.#samples.get(name) ?? (await this.#makeOnce(name, make));
    this.#forget(name);
    this.#samples.set(name, sample);
    this.#bytes += sample.length;
    for (const oldest of this.#samples.keys()) {
      if (this.#bytes <= this.limit) break;
      this.#forget(oldest);
    }
    return sample;
  }

  async #makeOnce(name: string, make: () => Promise<Buffer>): Promise<Buffer> {
    const made = this.#making.get(name) ?? make();
    this.#making.set(name, made);
    try {
      return await made;
    } finally {
      this.#making.delete(name);
    }
  }

  #forget(name: string): void {
    this.#bytes -= this.#samples.get(name)?.length ?? 0;
    this.#samples.delete(name);
  }
}
