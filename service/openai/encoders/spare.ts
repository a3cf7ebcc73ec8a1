import { synthesisDefaults } from '../../voices/workers/speech.js';

/** An object that runs until its end. */
interface Running {
  end(): Promise<void>;
}

/**
 * One started object, ready for the next use, because its start takes long. It ends after an idle time. The default is the time after which the speech process ends, because the start of this process takes longer.
 */
export class Spare<Kind extends Running> {
  #start: () => Promise<Kind>;
  #milliseconds: number;
  #idle: { started: Promise<Kind>; forget: () => void } | undefined;

  constructor(start: () => Promise<Kind>, milliseconds: number = synthesisDefaults.idleTimeout) {
    this.#start = start;
    this.#milliseconds = milliseconds;
  }

  /** Returns the spare, or starts an object. The caller ends it. */
  take(): Promise<Kind> {
    const idle = this.#idle;
    idle?.forget();
    return idle?.started ?? this.#start();
  }

  /** Starts the spare for the next `take`. It ends when `closing` aborts. */
  prepare(closing: AbortSignal): void {
    if (this.#idle !== undefined || closing.aborted) return;
    const started = this.#start();
    const forget = () => {
      clearTimeout(timer);
      closing.removeEventListener('abort', end);
      if (this.#idle === idle) this.#idle = undefined;
    };
    const end = () => {
      forget();
      void endStarted(started);
    };
    const timer = setTimeout(end, this.#milliseconds);
    closing.addEventListener('abort', end);
    started.catch(forget);
    const idle = { started, forget };
    this.#idle = idle;
  }
}

/** Ends the object when it has started: mediabunny cannot end a thread that is still starting. */
async function endStarted(started: Promise<Running>): Promise<void> {
  const running = await started.catch(() => undefined); // The user of the object reports the failure.
  await running?.end();
}
