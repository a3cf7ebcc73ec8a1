import { z } from '#zod';
import { linked, throwIfAborted } from '../base/abort.js';
import { type CallContext, Flights } from '../calls/flights.js';
import type { AccountCalls } from '../calls/account.js';
import type { CallOptions } from '../calls/call-options.js';
import { asSpeechError, type FailureCode, SpeechError } from '../base/errors.js';
import type { CheckedRequest, Operation, ResponseOf } from '../interface/operation.js';
import { PAGE_SIZE } from '../interface/limits.js';
import { getCustomVoice, getVoice, searchVoices } from '../interface/operations.js';
import { lazy } from '../base/lazy.js';
import { text } from '../base/messages.js';
import { bestVoice, speaks, type VoiceFacts } from './voice-facts.js';

/** The times are in milliseconds. */
export const lookupDefaults = {
  /** Longest time of an optional request, by default from sending to the reply. Speech then continues without the facts. */
  timeout: 5000,
  /** Time until a found voice is looked up again. */
  fresh: 600_000,
  /** Time until an unknown voice or language is looked up again. */
  unknown: 60_000,
  /** Time until a failed optional lookup is repeated. */
  failed: 10_000,
  /** Maximum number of remembered results. */
  max: 200,
};

/**
 * The local service: its user installs and removes voices at any time, and a request costs a millisecond. It reads its voices
 * once a second.
 */
export const localLookup: typeof lookupDefaults = { ...lookupDefaults, fresh: 1000, unknown: 1000 };

/** The options of a call that a lookup passes on, and whether speech can continue without its result. */
export interface LookupOptions extends Pick<CallOptions, 'signal' | 'priority'> {
  /**
   * A needed lookup retries like any call, and throws its failure. An optional lookup has a single attempt and a time limit,
   * and its failure counts as an unknown voice. A lookup that was successful before is optional: after a failure, its former
   * result applies.
   */
  isNeeded: boolean;
  /** Whether the time limit of an optional lookup includes the wait for the rate limit. Default false. */
  countsWait?: boolean;
}

interface Entry {
  voice: VoiceFacts | undefined;
  isFailed: boolean;
  /** `performance.now()` milliseconds. */
  until: number;
}

const nothing = () => Promise.resolve();

/** Looks voices up and remembers them, within limits. */
export class VoiceLookup {
  private readonly entries = new Map<string, Entry>();
  /** The last description of each voice and the last default voice of each language, for `known`. They do not expire. */
  private readonly facts = new Map<string, VoiceFacts>();

  /** Lookups in progress. Equal ones at the same time are one call. */
  private readonly flights = new Flights<VoiceFacts | undefined>();

  constructor(
    private readonly account: Pick<AccountCalls, 'send'>,
    private readonly options = lookupDefaults,
    /** The identifier that stands for the default voice of the service, if it has one. */
    readonly serverVoice?: string,
  ) {}

  /**
   * Returns a preset or custom voice. Undefined if the service does not describe it.
   * @throws SpeechError `aborted`, or any failure of a needed lookup
   */
  voice(voice_id: string, options: LookupOptions): Promise<VoiceFacts | undefined> {
    return this.remember(`voice ${voice_id}`, options, async (shared) => {
      const preset = await unlessRefused(this.send(getVoice, { voice_id }, shared));
      if (preset !== undefined) return preset;
      const custom = await unlessRefused(this.send(getCustomVoice, { voice_id }, shared));
      return custom && customFacts().parse(custom);
    });
  }

  /**
   * Returns the service's default voice of a language: the first preset voice that speaks it, natural voices before simple
   * ones if they are fast enough. Undefined if no voice speaks the language.
   * @param gender restricts the search to voices of this gender
   * @throws SpeechError `aborted`, or any failure of a needed lookup
   */
  first(language: string, options: LookupOptions, gender?: string): Promise<VoiceFacts | undefined> {
    const filters = { language, ...(gender !== undefined && { gender }), page_size: PAGE_SIZE.min };
    return this.remember(`language ${language} ${gender ?? ''}`, options, async (shared) => {
      const { items } = await this.send(searchVoices, filters, shared);
      const suitable = items.filter(
        (voice) => speaks(voice, language) && (gender === undefined || voice.gender === gender),
      );
      // A service without natural voices decides by its order.
      return bestVoice(suitable);
    });
  }

  /**
   * Returns the only preset voice with a name, in upper or lower case. Undefined if there is no such voice, there are several, or the
   * search fails.
   * @throws SpeechError `aborted`
   */
  named(name: string, options: Omit<LookupOptions, 'isNeeded'>): Promise<VoiceFacts | undefined> {
    const filters = { name, page_size: PAGE_SIZE.max };
    return this.remember(`name ${name}`, { ...options, isNeeded: false }, async (shared) => {
      const { items } = await this.send(searchVoices, filters, shared);
      const [voice, ...others] = items.filter((one) => one.name.toLowerCase() === name.toLowerCase());
      return others.length === 0 ? voice : undefined;
    });
  }

  /** Returns the last description of a voice that the service sent, without a request. */
  known(voice_id: string): VoiceFacts | undefined {
    return this.facts.get(`voice ${voice_id}`);
  }

  /** Returns the name of a voice that the service has described, by id or as the voice of a language. Sends no request. */
  nameOf(voice_id: string): string | undefined {
    const facts = this.known(voice_id) ?? [...this.facts.values()].find((one) => one.voice_id === voice_id);
    return facts?.name || undefined;
  }

  /** Returns the last default voice of a language, without a request. */
  knownFirst(language: string): VoiceFacts | undefined {
    return this.facts.get(`language ${language} `);
  }

  private async remember(
    key: string,
    options: LookupOptions,
    find: (options: LookupOptions) => Promise<VoiceFacts | undefined>,
  ): Promise<VoiceFacts | undefined> {
    const { signal } = options;
    // Facts that were found once remain usable while the service is down: its audio may be in the cache.
    const last = this.facts.get(key);
    const isNeeded = options.isNeeded && last === undefined;
    const known = this.entries.get(key);
    const isUsable = known !== undefined && !(known.isFailed && isNeeded);
    if (isUsable && known.until > performance.now()) return known.voice;
    const { fresh, unknown, failed } = this.options;
    try {
      const call = async (shared: CallContext) => {
        const voice = await find({ ...options, isNeeded, signal: shared.signal });
        return this.keep(key, { voice, isFailed: false }, voice === undefined ? unknown : fresh);
      };
      return (await this.flights.share(`${key} ${isNeeded}`, this, { signal }, call, nothing)).result;
    } catch (thrown) {
      if (signal !== undefined) throwIfAborted(signal);
      if (isNeeded || asSpeechError(thrown).code === 'aborted') throw thrown;
      return this.keep(key, { voice: last, isFailed: last === undefined }, failed);
    }
  }

  private keep(key: string, found: Omit<Entry, 'until'>, milliseconds: number): VoiceFacts | undefined {
    this.put(this.entries, key, { ...found, until: performance.now() + milliseconds });
    if (found.voice !== undefined) this.put(this.facts, key, found.voice);
    return found.voice;
  }

  /** Adds an entry as the newest, and removes the oldest if there are too many. */
  private put<Value>(entries: Map<string, Value>, key: string, value: Value): void {
    entries.delete(key);
    entries.set(key, value);
    const [oldest] = entries.keys();
    if (entries.size > this.options.max && oldest !== undefined) entries.delete(oldest);
  }

  private async send<O extends Operation>(
    operation: O,
    request: CheckedRequest,
    { signal, priority, isNeeded, countsWait = false }: LookupOptions,
  ): Promise<ResponseOf<O>> {
    if (isNeeded) return (await this.account.send(operation, request, { signal, priority })).value;
    return linked([signal], async (limited, controller) => {
      let timer: NodeJS.Timeout | undefined;
      const tooSlow = () => controller.abort(new SpeechError('timed-out', text('reply-timeout')));
      const limit = () => void (timer ??= setTimeout(tooSlow, this.options.timeout));
      if (countsWait) limit();
      // A wait for the rate limit does not mean that the service is slow.
      const onProgress: CallOptions['onProgress'] = ({ state }) => {
        if (state === 'sending') limit();
      };
      const options = { signal: limited, priority, attempts: 1, onProgress };
      const call = this.account.send(operation, request, options);
      return (await call.finally(() => clearTimeout(timer))).value;
    });
  }
}

/** Failures that mean: the service does not describe this voice to the account. They do not depend on the time. */
const UNDESCRIBED: readonly FailureCode[] = [
  'not-found',
  'not-supported',
  'forbidden',
  'bad-request',
  'bad-reply',
];

/** Resolves with undefined if the service does not describe the voice. */
async function unlessRefused<Result>(call: Promise<Result>): Promise<Result | undefined> {
  try {
    return await call;
  } catch (thrown) {
    if (UNDESCRIBED.includes(asSpeechError(thrown).code)) return undefined;
    throw thrown;
  }
}

/** The interface defines only the identifier of a custom voice. A service may describe it like a preset voice. */
const customFacts = lazy(() => {
  const words = z.array(z.string()).optional().catch(undefined);
  return z.object({ voice_id: z.string(), name: z.string(), language: words, styles: words, models: words });
});
