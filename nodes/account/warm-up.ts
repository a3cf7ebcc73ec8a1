import { type Client, limitedTo, type SpeechDefaults, type VoiceChoice } from '@herald-speech/client';

interface WarmAccount {
  connect(signal: AbortSignal): Promise<Client>;
  defaults: SpeechDefaults;
}

/** Longest time for the start of a service and its engine, in milliseconds. */
const TIME_LIMIT = 120_000;
/** A text that each voice can speak. */
const TEXT = '1';

/** The voices whose engines are starting, by the signal of their connection. */
const starting = new WeakMap<AbortSignal, Set<string>>();
/** The last start. One engine starts at a time, so that the first messages find free workers. */
let last: Promise<void> = Promise.resolve();

/**
 * Starts the engine of a voice in the speech process of the local service, so that the first message does not wait for it. The
 * process ends again after the idle timeout of the service. A failure has no effect: the first message fails with the same error.
 * @param voiceOf returns the voice and the language of a node
 * @param closing aborts when the connection of the account closes
 */
export async function warmUp(
  account: WarmAccount,
  voiceOf: () => Promise<VoiceChoice>,
  closing: AbortSignal,
): Promise<void> {
  const voice = await voiceOf().catch(() => ({}));
  const key = JSON.stringify([voice, account.defaults]);
  const voices = starting.get(closing) ?? new Set();
  starting.set(closing, voices);
  if (voices.has(key) || closing.aborted) return;
  voices.add(key);
  try {
    const signal = limitedTo(TIME_LIMIT, closing);
    // Outside of the order of starts: a connection that hangs delays only its own voices.
    const client = await account.connect(signal);
    last = last.then(() => startEngine(client, account.defaults, voice, signal)).catch(() => undefined);
    await last;
  } catch {
    // The first message fails with the same error.
  } finally {
    voices.delete(key);
  }
}

/** Predicts the duration of a short text: a free request that starts the engine, and loads a natural voice. */
async function startEngine(
  client: Client,
  defaults: SpeechDefaults,
  voice: VoiceChoice,
  signal: AbortSignal,
): Promise<void> {
  const complete = await client.complete(voice, defaults, { signal });
  await client.predict({ ...complete, text: TEXT }, { signal });
}
