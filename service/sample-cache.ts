/** Samples in memory at most; one takes about 150 KB. */
const MAX_SAMPLES = 64;

/** Keeps what was made last, and makes a thing once when several ask for it at the same time. */
export class SampleCache {
  readonly #samples = new Map<string, Promise<Buffer>>();

  /** The sample of that name, made on demand; a failure is not kept. */
  async get(name: string, make: () => Promise<Buffer>): Promise<Buffer> {
    const sample = this.#samples.get(name) ?? make();
    this.#samples.delete(name);
    this.#samples.set(name, sample); // Last in the map is last in use.
    this.#forgetOldest();
    try {
      return await sample;
    } catch (error) {
      this.#samples.delete(name);
      throw error;
    }
  }

  #forgetOldest(): void {
    const [oldest] = this.#samples.keys();
    if (this.#samples.size > MAX_SAMPLES && oldest !== undefined) this.#samples.delete(oldest);
  }
}
