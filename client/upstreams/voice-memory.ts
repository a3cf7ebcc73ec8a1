/** The voices of a service that describes them only all together. */
import { Stop, unlessAborted } from '../base/abort.js';
import { SpeechError } from '../base/errors.js';
import { text } from '../base/messages.js';

/** Voices by their identifiers. */
export type VoicesById<Voice> = ReadonlyMap<string, Voice>;

/** Asks the service for its voices. @throws SpeechError */
export type AskVoices<Voice> = (stop: Stop) => Promise<VoicesById<Voice>>;

/** Milliseconds for which a list of voices is used. */
const AGES = {
  /** For a voice in the list. */
  fresh: 600_000,
  /** For a voice that is missing in the list, and for the whole list. */
  missing: 5000,
};

/** A running request and the number of its callers. */
interface Asking<Voice> {
  voices: Promise<VoicesById<Voice>>;
  callers: number;
  stop: Stop;
}

/** Remembers the voices of a service. Callers at the same time share one request. */
export class VoiceMemory<Voice> {
  readonly #ask: AskVoices<Voice>;
  readonly #ages: typeof AGES;
  #known: { voices: VoicesById<Voice>; at: number } | undefined;
  #asking: Asking<Voice> | undefined;

  constructor(ask: AskVoices<Voice>, ages = AGES) {
    this.#ask = ask;
    this.#ages = ages;
  }

  /**
   * Returns the voices. If the service does not answer, a wanted voice is looked for in the former ones.
   * @param wanted the identifier of a voice. If it is missing, the service is asked again: it may be new. Default: the whole list, which
   *   must be true, because a caller may test the service with it.
   * @throws SpeechError the failure of the request, or the reason of the stop
   */
  async voices(stop: Stop, wanted?: string): Promise<VoicesById<Voice>> {
    const known = this.#known;
    if (known === undefined) return this.#share(stop);
    const { voices, at } = known;
    const age = wanted !== undefined && voices.has(wanted) ? this.#ages.fresh : this.#ages.missing;
    if (performance.now() - at < age) return voices;
    try {
      return await this.#share(stop);
    } catch (thrown) {
      if (stop.reason !== undefined || wanted === undefined) throw thrown;
      return voices;
    }
  }

  /** Makes the next caller ask the service. */
  forget(): void {
    if (this.#known !== undefined) this.#known.at = Number.NEGATIVE_INFINITY;
  }

  /** Waits for the running request, or starts it. The request ends when its last caller leaves. */
  async #share(stop: Stop): Promise<VoicesById<Voice>> {
    const asking = (this.#asking ??= this.#start());
    asking.callers += 1;
    try {
      return await unlessAborted(asking.voices, stop.signal);
    } finally {
      asking.callers -= 1;
      if (asking.callers === 0) this.#end(asking);
    }
  }

  #start(): Asking<Voice> {
    const stop = new Stop();
    const asking = { voices: this.#ask(stop), callers: 0, stop };
    asking.voices.then(
      (voices) => {
        this.#known = { voices, at: performance.now() };
      },
      () => undefined,
    );
    return asking;
  }

  /** Stops a request without callers. After its end, the stop has no effect. */
  #end(asking: Asking<Voice>): void {
    if (this.#asking === asking) this.#asking = undefined;
    asking.stop.stop(new SpeechError('aborted', text('caller-stopped')));
  }
}
