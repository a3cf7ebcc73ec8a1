import type { Text } from '../base/messages.js';
import type { CallOptions } from '../calls/call-options.js';
import type { Progress } from '../calls/progress.js';
import type { SpeechRequest } from '../interface/operations.js';
import type { Pronunciation } from '../text/pronunciation.js';
import type { Reading } from '../text/reading.js';
import {
  type CompleteChoice,
  FALLBACK_LANGUAGE,
  type SpeechDefaults,
  type VoiceChoice,
} from '../voices/complete.js';
import { withoutUnsupported } from '../upstreams/features.js';
import type { VoiceWish } from '../voices/nearest.js';
import type { Retries } from './attempts.js';
import type { Breaker } from './breaker.js';
import type { FinishedChunks } from './finished-chunks.js';
import type { PlanOptions } from './plan.js';
import type { SpeechService } from './service.js';
import { runSession, type SpokenInTurn, type TextSpeaker } from './session.js';
import { openText, type StreamOptions } from './open-text.js';
import { type SpeechPiece, SpeechPieces } from './stream.js';

/** A speech request that may lack a voice and a language. */
export type AccountRequest = Partial<SpeechRequest> & Pick<SpeechRequest, 'text'>;

/** A piece of speech, its voice, and the fallback if one spoke it. */
export type AccountPiece = SpokenInTurn<SpeechPiece>;

/** The client of an account that speaks. */
export interface SpeakingClient {
  readonly service: SpeechService;
  complete(
    request: VoiceChoice,
    defaults?: SpeechDefaults,
    options?: CallOptions,
  ): Promise<VoiceChoice & CompleteChoice>;
  wish(request: VoiceChoice, defaults?: SpeechDefaults): VoiceWish;
  nearest(wish: VoiceWish, defaults?: SpeechDefaults, options?: CallOptions): Promise<CompleteChoice>;
  voiceName(voice_id: string): string | undefined;
}

/** Everything of an account that speech needs. */
export interface SpeakingAccount {
  /** Identifies the account in a chain of fallbacks. */
  id: string;
  /** The name in reports. */
  name: string;
  defaults: SpeechDefaults;
  breaker: Breaker;
  connect(signal: AbortSignal): Promise<SpeakingClient>;
  /** Milliseconds without audio until the fallback speaks. @throws SpeechError `not-configured` */
  patience(): number;
  /** @throws SpeechError `not-configured` */
  pronunciations(): readonly Pronunciation[];
  /** Returns the readings of the account and of its fallbacks: each piece of a text fits into one request of any of them. Default: none. */
  readings?(): readonly Reading[];
  /** Returns the longest text of one request to the account or any of its fallbacks. Default: the limit of the service that speaks. */
  maxPieceLength?(): number;
  /** Returns the account that speaks after a failure; undefined for the last account. @throws SpeechError `not-configured` */
  fallback(): SpeakingAccount | undefined;
  /** Returns a warning for the first piece of a text. */
  warning?(): Text | undefined;
}

export interface AccountStreamOptions extends Omit<StreamOptions, 'finished'> {
  /** The default voice and language. Default: the defaults of the account. */
  defaults?: SpeechDefaults | undefined;
  /** False if no fallback may speak. Default true. */
  fallback?: boolean | undefined;
  /** Default: the pronunciations of the account. */
  accountPronunciations?: readonly Pronunciation[] | undefined;
  /** The attempts at a piece that no account could speak. Default: one attempt. */
  retries?: Retries | undefined;
}

/**
 * Speaks a text with an account and its fallbacks. Completes the voice and the language for each account. A repeated attempt
 * continues at the missing piece, and pays no finished piece again.
 * @throws SpeechError the failure of the account, with a note if the fallback failed as well
 */
export function speakWith(
  account: SpeakingAccount,
  request: AccountRequest,
  options: AccountStreamOptions = {},
): AsyncGenerator<AccountPiece, void, undefined> {
  const { signal, retries, first: from, onProgress } = options;
  const finished: FinishedChunks = new Map();
  const spoken: SpokenText = { finished };
  const speaker = () => {
    // Invalid settings fail each text, also a text without a fallback.
    account.patience();
    const text = new AccountText(account, request, options, spoken);
    return new AccountSpeaker(account, text, new Set([account.id]));
  };
  const warning = () => account.warning?.();
  return runSession({ speaker, signal, from, retries, onProgress, finished, warning });
}

/** The memory of all attempts at a text. */
interface SpokenText {
  readonly finished: FinishedChunks;
  /** The pieces of the last service that has begun. */
  plan?: NonNullable<PlanOptions['goOn']>['plan'];
}

/** One attempt at a text: its options, and its voice at another service. */
class AccountText {
  readonly defaults: SpeechDefaults;
  readonly fallback: boolean;
  readonly options: StreamOptions;
  /** The client of the first account, after it has connected. */
  private client: SpeakingClient | undefined;

  /** @throws SpeechError `not-configured` */
  constructor(
    account: SpeakingAccount,
    readonly request: AccountRequest,
    given: AccountStreamOptions,
    readonly spoken: SpokenText,
  ) {
    const { defaults = account.defaults, fallback = true, accountPronunciations, ...options } = given;
    this.defaults = defaults;
    this.fallback = fallback;
    const pronunciations = joined(options.pronunciations, accountPronunciations ?? account.pronunciations());
    this.options = {
      ...options,
      pronunciations,
      readings: account.readings?.(),
      maxPieceLength: account.maxPieceLength?.(),
    };
  }

  /** Completes the choice of the voice with the client of the first account. */
  complete(client: SpeakingClient, options: CallOptions): Promise<CompleteChoice> {
    this.client = client;
    return client.complete(this.request, this.defaults, options);
  }

  /** Returns the voice that the text should have at another service. */
  wish(): VoiceWish {
    const { request, defaults } = this;
    // A service that never answered describes no voice. The wish then has the requested or the default language.
    const language = request.language ?? defaults.language ?? FALLBACK_LANGUAGE;
    return this.client?.wish(request, defaults) ?? { ...request, language };
  }
}

/** An account in its turn to speak a text. */
class AccountSpeaker implements TextSpeaker<SpeechPiece> {
  readonly name: string;
  readonly breaker: Breaker;

  /** @param tried the ids of the accounts up to this one, the first account first */
  constructor(
    private readonly account: SpeakingAccount,
    private readonly text: AccountText,
    private readonly tried: ReadonlySet<string>,
  ) {
    this.name = account.name;
    this.breaker = account.breaker;
  }

  patience(): number {
    return this.account.patience();
  }

  async open(first: number, signal: AbortSignal, onWait?: (seconds: number) => void): Promise<SpeechPieces> {
    const { options, spoken } = this.text;
    const client = await this.account.connect(signal);
    const voice = await this.chooseVoice(client, { signal, priority: options.priority });
    const onProgress = (progress: Progress) => {
      if (progress.state === 'waiting') onWait?.(progress.seconds);
      options.onProgress?.(progress);
    };
    // The finished pieces belong to the first account.
    const finished = this.isFirst() && { finished: spoken.finished };
    const goOn = first > 0 && spoken.plan && { goOn: { plan: spoken.plan, from: first } };
    const textOptions = { ...options, first, signal, onProgress, ...finished, ...goOn };
    const text = await openText(client.service, this.requestFor(client, voice, first), textOptions);
    spoken.plan = { text: text.plan.text, cuts: text.plan.cuts };
    const { model = client.service.features.defaultModel } = voice;
    return new SpeechPieces(text, { ...voice, model }, client.voiceName(voice.voice_id));
  }

  /** Returns the request from a piece on. A normalized text is the whole text, so that no other piece can have it. */
  private requestFor({ service }: SpeakingClient, voice: CompleteChoice, first: number): SpeechRequest {
    const whole = { ...this.text.request, ...voice };
    const { normalized_text: _, ...rest } = whole;
    const request = first === 0 ? whole : rest;
    return this.isFirst() ? request : withoutUnsupported(service.features, request);
  }

  /** A chain of fallbacks ends at an account that has already tried. */
  next(): AccountSpeaker | undefined {
    const next = this.text.fallback ? this.account.fallback() : undefined;
    if (next === undefined || this.tried.has(next.id)) return undefined;
    return new AccountSpeaker(next, this.text, new Set([...this.tried, next.id]));
  }

  private chooseVoice(client: SpeakingClient, options: CallOptions): Promise<CompleteChoice> {
    if (this.isFirst()) return this.text.complete(client, options);
    return client.nearest(this.text.wish(), this.account.defaults, options);
  }

  private isFirst(): boolean {
    return this.tried.size === 1;
  }
}

/**
 * Returns all entries. An entry of the message replaces the account's entries for the same word, in its language or without a
 * language in all languages.
 */
function joined(
  message: readonly Pronunciation[] = [],
  account: readonly Pronunciation[],
): readonly Pronunciation[] {
  if (message.length === 0) return account;
  const keys = new Set(message.map(({ word, language }) => keyOf(word, language)));
  const isReplaced = ({ word, language }: Pronunciation) =>
    keys.has(keyOf(word, language)) || keys.has(keyOf(word, ''));
  return [...message, ...account.filter((entry) => !isReplaced(entry))];
}

const keyOf = (word: string, language = ''): string =>
  JSON.stringify([word.trim().toLowerCase(), language.toLowerCase()]);
