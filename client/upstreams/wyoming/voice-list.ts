import { Stop, unlessAborted } from '../../base/abort.js';
import { SpeechError } from '../../base/errors.js';
import { text } from '../../base/messages.js';
import type { WyomingVoice } from './voices.js';

type Voices = ReadonlyMap<string, WyomingVoice>;

/** Milliseconds for which a list of voices is used. */
const ages = {
  /** For a voice in the list. */
  found: 600_000,
  /** For a voice that is missing in the list, and for the whole list. */
  missing: 5000,
};

/** A request for the list that runs, and the number of callers that wait for it. */
interface Flight {
  voices: Promise<Voices>;
  stop: Stop;
  waiting: number;
}

/** The list of voices of a server. All callers share it, and one request for it. */
export class VoiceList {
  readonly #read: (stop: Stop) => Promise<Voices>;
  readonly #ages: typeof ages;
  #known: { voices: Voices; at: number } | undefined;
  #flight: Flight | undefined;

  /** @param read asks the server */
  constructor(read: (stop: Stop) => Promise<Voices>, limits = ages) {
    this.#read = read;
    this.#ages = limits;
  }

  /** Returns the list for a voice: asks the server again if the voice is missing. @throws SpeechError as `read` */
  async with(voice_id: string, stop: Stop): Promise<Voices> {
    const known = this.#within(this.#ages.found);
    return known?.has(voice_id) === true ? known : this.all(stop);
  }

  /** Returns the present list. @throws SpeechError as `read` */
  async all(stop: Stop): Promise<Voices> {
    return this.#within(this.#ages.missing) ?? this.#join(stop);
  }

  /** Makes the next caller ask the server. */
  forget(): void {
    this.#known = undefined;
  }

  #within(age: number): Voices | undefined {
    return this.#known !== undefined && performance.now() - this.#known.at < age
      ? this.#known.voices
      : undefined;
  }

  /** Waits for the running request, or starts it. The request ends when its last caller leaves. */
  async #join(stop: Stop): Promise<Voices> {
    const flight = (this.#flight ??= this.#start());
    flight.waiting += 1;
    try {
      return await unlessAborted(flight.voices, stop.signal);
    } finally {
      flight.waiting -= 1;
      if (flight.waiting === 0) this.#end(flight);
    }
  }

  #start(): Flight {
    const stop = new Stop();
    const flight = { voices: this.#read(stop), stop, waiting: 0 };
    flight.voices.then(
      (voices) => {
        this.#known = { voices, at: performance.now() };
      },
      () => undefined,
    );
    return flight;
  }

  /** Stops a request. A request that is complete stays as it is. */
  #end(flight: Flight): void {
    if (this.#flight === flight) this.#flight = undefined;
    flight.stop.stop(new SpeechError('aborted', text('caller-stopped')));
  }
}
