/** The voices of a service that describes them only all together. */
import { Stop, unlessAborted } from '../base/abort.js';
import { SpeechError } from '../base/errors.js';
import { text } from '../base/messages.js';
import type { ListedVoice } from './local-answers.js';

type Voices = readonly ListedVoice[];

/** Asks the service for its voices. @throws SpeechError */
export type AskVoices = (stop: Stop) => Promise<Voices>;

/** Milliseconds. */
export const voiceMemoryDefaults = {
  /** Time until the service is asked again. */
  fresh: 600_000,
  /** Time until the service is asked again because a voice is missing. */
  missing: 10_000,
};

/** A running request and the number of its callers. */
interface Asking {
  voices: Promise<Voices>;
  callers: number;
  stop: Stop;
}

/** Remembers the voices of a service. Callers at the same time share one request. */
export class VoiceMemory {
  private known: { voices: Voices; at: number } | undefined;
  private asking: Asking | undefined;

  constructor(
    private readonly ask: AskVoices,
    private readonly times = voiceMemoryDefaults,
  ) {}

  /**
   * Returns the voices. If the service does not answer, its former voices apply.
   * @param wanted the identifier of a voice. If it is missing, the service is asked again: it may be new.
   * @throws SpeechError the failure of the first request, or the reason of the stop
   */
  async voices(stop: Stop, wanted?: unknown): Promise<Voices> {
    const { known } = this;
    if (known === undefined) return this.share(stop);
    const { voices, at } = known;
    const isMissing = wanted !== undefined && !voices.some(({ voice_id }) => voice_id === wanted);
    const limit = isMissing ? this.times.missing : this.times.fresh;
    if (performance.now() - at < limit) return voices;
    try {
      return await this.share(stop);
    } catch (thrown) {
      if (stop.reason !== undefined) throw thrown;
      return voices;
    }
  }

  private async share(stop: Stop): Promise<Voices> {
    const asking = (this.asking ??= this.start());
    asking.callers += 1;
    try {
      return await unlessAborted(asking.voices, stop.signal);
    } finally {
      asking.callers -= 1;
      if (asking.callers === 0) this.end(asking);
    }
  }

  private start(): Asking {
    const stop = new Stop();
    const voices = this.ask(stop).then((found) => {
      this.known = { voices: found, at: performance.now() };
      return found;
    });
    const asking = { voices, callers: 0, stop };
    const forget = () => {
      if (this.asking === asking) this.asking = undefined;
    };
    voices.then(forget, forget);
    return asking;
  }

  /** Stops a request without callers. After its end, the stop has no effect. */
  private end(asking: Asking): void {
    if (this.asking === asking) this.asking = undefined;
    asking.stop.stop(new SpeechError('aborted', text('caller-stopped')));
  }
}
