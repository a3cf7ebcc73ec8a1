import { z } from '#zod';
import { linked, throwIfAborted } from '../abort.js';
import type { Account, CallOptions } from '../calls/account.js';
import { asSpeechError, SpeechError } from '../errors.js';
import { PAGE_SIZE } from '../interface/limits.js';
import { getCustomVoice, getVoice, searchVoices } from '../interface/operations.js';
import { lazy } from '../lazy.js';
import { text } from '../messages.js';
import type { VoiceFacts } from './voice-facts.js';

/** The times are in milliseconds. */
const lookupDefaults = {
  /** Longest wait for the facts of a voice. Speech then continues without them. */
  timeout: 5000,
  /** Time until a found voice is looked up again. */
  fresh: 600_000,
  /** Time until an unknown voice or language is looked up again. */
  unknown: 60_000,
  /** Time until a failed lookup is repeated. */
  failed: 10_000,
  /** Maximum number of remembered results. */
  max: 200,
};

interface Entry {
  voice: VoiceFacts | undefined;
  /** `performance.now()` milliseconds. */
  until: number;
}

/** Looks voices up and remembers them, within limits. */
export class VoiceLookup {
  private readonly entries = new Map<string, Entry>();

  constructor(
    private readonly account: Account,
    private readonly options = lookupDefaults,
  ) {}

  /**
   * Returns a preset or custom voice, in a single attempt. Undefined if the service does not describe it, or not in time:
   * the speech request has the same failure, or succeeds.
   * @throws SpeechError `aborted`
   */
  voice(voice_id: string, { signal, priority }: CallOptions = {}): Promise<VoiceFacts | undefined> {
    return this.remember(`voice ${voice_id}`, async () => {
      try {
        return await this.withinTimeout(signal, (limited) =>
          this.find(voice_id, { signal: limited, priority, attempts: 1 }),
        );
      } catch (thrown) {
        if (signal !== undefined) throwIfAborted(signal);
        if (asSpeechError(thrown).code === 'aborted') throw thrown;
        return 'failed';
      }
    });
  }

  /**
   * Returns the service's default voice of a language: the first preset voice that speaks it. Undefined if no voice does.
   * @throws SpeechError
   */
  first(language: string, { signal, priority }: CallOptions = {}): Promise<VoiceFacts | undefined> {
    return this.remember(`language ${language}`, async () => {
      const request = { language, page_size: PAGE_SIZE.min };
      const { value } = await this.account.send(searchVoices, request, { signal, priority });
      return value.items.find((voice) => voice.language.includes(language));
    });
  }

  private async find(voice_id: string, options: CallOptions): Promise<VoiceFacts | undefined> {
    const preset = await unlessRefused(this.account.send(getVoice, { voice_id }, options));
    if (preset !== undefined) return preset.value;
    const custom = await unlessRefused(this.account.send(getCustomVoice, { voice_id }, options));
    return custom && customFacts().parse(custom.value);
  }

  private async remember(
    key: string,
    find: () => Promise<VoiceFacts | 'failed' | undefined>,
  ): Promise<VoiceFacts | undefined> {
    const known = this.entries.get(key);
    if (known !== undefined && known.until > performance.now()) return known.voice;
    const found = await find();
    const { fresh, unknown, failed, max } = this.options;
    const [voice, lasts] = found === 'failed' ? [undefined, failed] : [found, found ? fresh : unknown];
    this.entries.delete(key);
    this.entries.set(key, { voice, until: performance.now() + lasts });
    const [oldest] = this.entries.keys();
    if (this.entries.size > max && oldest !== undefined) this.entries.delete(oldest);
    return voice;
  }

  private withinTimeout<Result>(
    parent: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    return linked([parent], async (signal, controller) => {
      const tooSlow = () => controller.abort(new SpeechError('timed-out', text('reply-timeout')));
      const timer = setTimeout(tooSlow, this.options.timeout);
      return work(signal).finally(() => clearTimeout(timer));
    });
  }
}

/** Resolves with undefined if the service does not show the voice to this account. */
async function unlessRefused<Result>(call: Promise<Result>): Promise<Result | undefined> {
  try {
    return await call;
  } catch (thrown) {
    const { code } = asSpeechError(thrown);
    if (code === 'not-found' || code === 'forbidden') return undefined;
    throw thrown;
  }
}

/** The interface defines only the identifier of a custom voice. A service may describe it like a preset voice. */
const customFacts = lazy(() => {
  const words = z.array(z.string()).optional().catch(undefined);
  return z.object({ voice_id: z.string(), name: z.string(), language: words, styles: words, models: words });
});
