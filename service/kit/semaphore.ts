/** A limited number of places, given in the order of the requests. */
export class Semaphore {
  readonly #waiting: Array<() => void> = [];
  #free: number;

  constructor(count: number) {
    this.#free = count;
  }

  get isFull(): boolean {
    return this.#free === 0;
  }

  /** Number of callers that wait. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Resolves when the caller has a place. Call `leave` at the end of its work. @throws the reason of the signal */
  async take(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (this.#free === 0) return this.#wait(signal);
    this.#free -= 1;
  }

  /** Gives the place of the caller to the next one. */
  leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }

  #wait(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const start = () => {
        signal?.removeEventListener('abort', stop);
        resolve();
      };
      const stop = () => {
        this.#waiting.splice(this.#waiting.indexOf(start), 1);
        reject(signal?.reason);
      };
      this.#waiting.push(start);
      signal?.addEventListener('abort', stop, { once: true });
    });
  }
}

/** Places that owners share equally: an owner has one at a time, and the owners that wait get one in turn. */
export class SharedPlaces {
  readonly #places: Semaphore;
  /** The place of each owner that works or waits. */
  readonly #ofOwners = new Map<string, { place: Semaphore; users: number }>();

  constructor(count: number) {
    this.#places = new Semaphore(count);
  }

  /** Runs `work` in a place. @throws the reason of the signal, or the error of `work` */
  async run<Result>(owner: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    const own = this.#ofOwners.get(owner) ?? { place: new Semaphore(1), users: 0 };
    this.#ofOwners.set(owner, own);
    own.users += 1;
    try {
      return await inPlace(own.place, signal, () => inPlace(this.#places, signal, work));
    } finally {
      own.users -= 1;
      if (own.users === 0) this.#ofOwners.delete(owner);
    }
  }
}

async function inPlace<Result>(
  places: Semaphore,
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result> {
  await places.take(signal);
  try {
    return await work();
  } finally {
    places.leave();
  }
}
