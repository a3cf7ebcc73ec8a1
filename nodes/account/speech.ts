import {
  type Breaker,
  type Client,
  type CompleteChoice,
  createBreaker,
  type Pronunciation,
  type Speaker,
  speakInTurn,
  type SpeechDefaults,
  type SpeechPiece,
  type SpeechRequest,
  type StreamOptions,
  type Takeover,
  type VoiceWish,
} from '@herald-speech/client';

/** A speech request that may lack a voice and a language. */
export type AccountRequest = Partial<SpeechRequest> & Pick<SpeechRequest, 'text'>;

/** A piece of speech, its voice, and the fallback if one spoke it. */
export interface AccountPiece extends SpeechPiece {
  voice: CompleteChoice;
  takeover: Takeover | undefined;
}

export interface AccountStreamOptions extends StreamOptions {
  /** The default voice and language. Default: the defaults of the account. */
  defaults?: SpeechDefaults | undefined;
  /** False if no fallback may speak. Default true. */
  fallback?: boolean | undefined;
  /** Default: the pronunciations of the account. */
  accountPronunciations?: readonly Pronunciation[] | undefined;
}

/** Everything of an account that speech needs. */
export interface SpeakingAccount {
  /** The node's id, or `local` for the local service without an account. */
  id: string;
  /** The name in reports. */
  name: string;
  defaults: SpeechDefaults;
  breaker: Breaker;
  connect(signal: AbortSignal): Promise<Client>;
  /** Milliseconds without audio until the fallback speaks. @throws SpeechError `not-configured` */
  patience(): number;
  /** @throws SpeechError `not-configured` */
  pronunciations(): readonly Pronunciation[];
  /** Returns the account that speaks after a failure; undefined for the last account. @throws SpeechError `not-configured` */
  fallback(): SpeakingAccount | undefined;
}

/** Returns the local service without an account, for speech. */
export const localSpeaker = (
  { connect }: Pick<SpeakingAccount, 'connect'>,
  defaults: SpeechDefaults = {},
): SpeakingAccount => ({
  id: 'local',
  name: 'local',
  defaults,
  breaker: createBreaker(),
  connect,
  // The local service has no fallback, so no time limit applies.
  patience: () => Infinity,
  pronunciations: () => [],
  fallback: () => undefined,
});

/**
 * Speaks a text with an account and its fallbacks. Completes the voice and the language for each account.
 * @throws SpeechError
 */
export function speak(
  account: SpeakingAccount,
  request: AccountRequest,
  options: AccountStreamOptions = {},
): AsyncGenerator<AccountPiece, void, undefined> {
  const { defaults = account.defaults, signal, fallback = true, accountPronunciations, ...others } = options;
  const work = { request, defaults, fallback, accountPronunciations, options: others };
  return speakInTurn(() => firstSpeaker(account, work), signal, options.first);
}

/** One text: the request, the defaults of the first account, and the options of each stream. */
interface Work {
  request: AccountRequest;
  defaults: SpeechDefaults;
  fallback: boolean;
  accountPronunciations: readonly Pronunciation[] | undefined;
  options: StreamOptions;
}

type OnePiece = Omit<AccountPiece, 'takeover'>;

function firstSpeaker(
  account: SpeakingAccount,
  { request, defaults, fallback, accountPronunciations, options }: Work,
): Speaker<OnePiece> {
  let last: Client | undefined;
  const choose = (client: Client, signal: AbortSignal) => {
    last = client;
    return client.complete(request, defaults, { signal, priority: options.priority });
  };
  /** A service that never answered describes no voice. The wish then has the requested or the default language. */
  const wish = () =>
    last?.wish(request, defaults) ?? {
      ...request,
      language: request.language ?? defaults.language ?? FALLBACK_LANGUAGE,
    };
  const patience = account.patience();
  const pronunciations = joined(options.pronunciations, accountPronunciations ?? account.pronunciations());
  const others = { ...options, pronunciations };
  return {
    name: account.name,
    patience: () => patience,
    breaker: account.breaker,
    speak: (first, signal, onWait) =>
      pieces(account, request, { ...reporting(others, onWait), first, signal }, choose),
    next: () =>
      fallback ? nextSpeaker(account, new Set([account.id]), { request, options: others, wish }) : undefined,
  };
}

/** The language if neither the request nor the account has one. */
const FALLBACK_LANGUAGE = 'en';

interface FallbackWork extends Pick<Work, 'request' | 'options'> {
  wish(): VoiceWish;
}

/** Returns the speaker after an account. A chain of fallbacks ends at an account that has already tried. */
function nextSpeaker(
  account: SpeakingAccount,
  tried: ReadonlySet<string>,
  work: FallbackWork,
): Speaker<OnePiece> | undefined {
  const next = account.fallback();
  if (next === undefined || tried.has(next.id)) return undefined;
  const { request, options, wish } = work;
  const choose = (client: Client, signal: AbortSignal) =>
    client.nearest(wish(), next.defaults, { signal, priority: options.priority });
  // The finished pieces belong to the first account.
  const own: StreamOptions = { ...options, finished: undefined };
  return {
    name: next.name,
    patience: next.patience,
    breaker: next.breaker,
    speak: (first, signal, onWait) =>
      pieces(next, request, { ...reporting(own, onWait), first, signal }, choose),
    next: () => nextSpeaker(next, new Set([...tried, next.id]), work),
  };
}

/** Returns the options with a report of each wait. */
function reporting(options: StreamOptions, onWait?: (seconds: number) => void): StreamOptions {
  const { onProgress } = options;
  if (onWait === undefined) return options;
  return {
    ...options,
    onProgress(progress) {
      if (progress.state === 'waiting') onWait(progress.seconds);
      onProgress?.(progress);
    },
  };
}

/** Yields the pieces of one account. */
async function* pieces(
  account: SpeakingAccount,
  request: AccountRequest,
  options: StreamOptions & { first: number; signal: AbortSignal },
  choose: (client: Client, signal: AbortSignal) => Promise<CompleteChoice>,
): AsyncGenerator<OnePiece, void, undefined> {
  const client = await account.connect(options.signal);
  const voice = await choose(client, options.signal);
  for await (const piece of client.stream({ ...request, ...voice }, options)) yield { ...piece, voice };
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
