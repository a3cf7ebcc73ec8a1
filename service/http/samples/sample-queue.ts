import { OneByOne } from '@herald-speech/client/abort';
import { ServiceError } from '../../kit/errors.js';
import { PreemptedError } from '../../kit/worker-error.js';

/** Maximum number of samples that wait or are being created. */
export const MAX_SAMPLES = 8;
/** Milliseconds for a sample, with its wait. */
const TIME_LIMIT = 20_000;
/** Seconds. */
const RETRY_AFTER = 2;

/**
 * Creates samples one at a time. A sample needs no key, so it must not take capacity from callers with a key: it waits outside
 * the queue of speech for a free worker, and starts again if it had to give its worker away.
 */
export class SampleQueue {
  #count = 0;
  readonly #samples = new OneByOne();

  /**
   * Runs `create` after all samples before it.
   * @throws ServiceError 503 if too many samples wait, or no worker was free in time
   */
  async run<Result>(create: (signal: AbortSignal) => Promise<Result>, closing: AbortSignal): Promise<Result> {
    if (this.#count >= MAX_SAMPLES) throw busy();
    this.#count += 1;
    const timeout = AbortSignal.timeout(TIME_LIMIT);
    const signal = AbortSignal.any([closing, timeout]);
    try {
      return await this.#samples.run(() => untilCreated(() => create(signal)));
    } catch (error) {
      throw timeout.aborted && !closing.aborted ? busy() : error;
    } finally {
      this.#count -= 1;
    }
  }
}

/** Repeats `create` while other jobs take its worker. The signal of the job ends the loop. */
async function untilCreated<Result>(create: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await create();
    } catch (error) {
      if (!(error instanceof PreemptedError)) throw error;
    }
  }
}

const busy = () =>
  new ServiceError(503, 'the service is busy with speech: try again later', { retryAfter: RETRY_AFTER });
