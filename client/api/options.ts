import type { Budget } from '../budget/budget.js';
import type { CacheOptions } from '../cache/open-cache.js';
import type { BeforeTry, Locate } from '../calls/account.js';
import { limiterDefaults, type LimiterOptions } from '../calls/limiter.js';
import { retryDefaults, type RetryOptions } from '../calls/retry.js';
import { SpeechError } from '../base/errors.js';
import type { Sharing } from '../cache/shared-speech.js';
import type { NetworkOptions } from '../http/network.js';
import { transportDefaults, type TransportOptions } from '../http/transport-options.js';
import { issuesText, rule } from '../interface/describe-issues.js';
import { lazy } from '../base/lazy.js';
import { z } from '#zod';
import { text } from '../base/messages.js';
import type { UpstreamChoice } from '../upstreams/list.js';
import type { UpstreamDefaults } from '../upstreams/upstream.js';
import type { SpeechService } from '../speech/service.js';

export interface ClientOptions
  extends Partial<RetryOptions & TransportOptions & LimiterOptions>, NetworkOptions {
  /** Address of the service: a base URL with or without `/v1`, or the address that the kind of service has. */
  url: string;
  /** The API key (docs/interface.md#authentication); blank for a service without keys. */
  apiKey: string;
  /** The kind of service. Default: the interface of docs/interface.md. */
  upstream?: UpstreamChoice | undefined;
  /** Concurrent requests of one text. */
  concurrency?: number;
  /** Milliseconds of one call, waiting included. */
  totalTimeout?: number;
  /** Milliseconds for all pages of a list. */
  listTimeout?: number;
  /** UTF-16 code units of a text for `speak` and `predict`: its audio must fit into memory. */
  maxTextLength?: number;
  /** Bytes of audio for `speak`, which keeps the audio in memory. `stream` has no such limit. */
  maxAudioBytes?: number;
  /** Whether to replace "#" by a space; a service may refuse it (docs/interface.md#open-points). */
  replaceHash?: boolean;
  /** The form in which the service gets texts: `figuresReading` writes figures as words. Default: as written. */
  reading?: SpeechService['reading'];
  /** Limits the seconds of speech per day and per text. */
  budget?: Budget | undefined;
  /** Called before each try of a call, for example to wait for a service that restarts. A rejection ends the call. */
  beforeTry?: BeforeTry | undefined;
  /** Returns the current URL and key of a service that may restart elsewhere. Called before each try. Default: `url` and `apiKey`. */
  locate?: Locate | undefined;
  /** Keeps the audio of requests in a folder, so that equal requests are paid once. Default: no cache. */
  cache?: CacheOptions | undefined;
  /** Shares the limits and the audio with other processes. Default: this process has the whole rate limit. */
  sharing?: Sharing | undefined;
}

export const clientDefaults = {
  ...retryDefaults,
  ...transportDefaults,
  ...limiterDefaults,
  concurrency: 4,
  totalTimeout: 120_000,
  listTimeout: 600_000,
  maxTextLength: 50_000,
  maxAudioBytes: 500_000_000,
  replaceHash: true,
};

/** All options except secrets, which stay in closures. */
type Settings = Omit<
  Required<ClientOptions>,
  | 'url'
  | 'apiKey'
  | 'upstream'
  | 'beforeTry'
  | 'locate'
  | 'budget'
  | 'cache'
  | 'sharing'
  | 'reading'
  | keyof NetworkOptions
>;

const optionsSchema = lazy(() => {
  /** Milliseconds, counts and bytes, up to the longest delay of a timer. */
  const whole = z
    .int()
    .min(1)
    .max(2 ** 31 - 1);
  const rate = z.union([whole, z.literal(Infinity)], rule(text('rule-rate')));
  return z.object({
    attempts: whole,
    backoffBase: whole,
    backoffCap: whole,
    maxRetryAfter: whole,
    retryBudget: whole,
    connectTimeout: whole,
    firstByteTimeout: whole,
    idleTimeout: whole,
    maxReplyBytes: whole,
    maxJsonBytes: whole,
    connections: whole,
    requestsPerMinute: z.union([z.literal('auto'), rate], rule(text('rule-rate-auto'))),
    clonesPerMinute: rate,
    maxWaiting: whole,
    concurrency: whole,
    totalTimeout: whole,
    listTimeout: whole,
    maxTextLength: whole,
    maxAudioBytes: whole,
    replaceHash: z.boolean(),
  });
});

/**
 * Checks the options and fills in the defaults.
 * @param defaults of the kind of service
 * @throws SpeechError `not-configured`; the message names the option, never the key
 */
export function settingsOf(options: ClientOptions, defaults: UpstreamDefaults = {}): Settings {
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const parsed = optionsSchema().safeParse({ ...clientDefaults, ...defaults, ...given });
  if (!parsed.success) throw new SpeechError('not-configured', issuesText(parsed.error.issues, options));
  return parsed.data;
}
