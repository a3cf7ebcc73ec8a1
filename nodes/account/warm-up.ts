import type { Client, SpeechDefaults, VoiceChoice } from '@herald-speech/client';

interface WarmAccount {
  connect(signal: AbortSignal): Promise<Client>;
  defaults: SpeechDefaults;
}

/** Longest time for the start of a service and its engine, in milliseconds. */
const TIME_LIMIT = 120_000;
/** A text that each voice can speak. */
const TEXT = '1';

/** The voices whose engines are starting. */
const starting = new Set<string>();
/** The last start. One engine starts at a time, so that the first messages find free workers. */
let last: Promise<void> = Promise.resolve();

/**
 * Starts the engine of a voice in the speech process of the local service, so that the first message does not wait for it. The
 * process ends again after the idle timeout of the service. A failure has no effect: the first message fails with the same error.
 * @param voiceOf returns the voice and the language of a node
 */
export async function warmUp(account: WarmAccount, voiceOf: () => Promise<VoiceChoice>): Promise<void> {
  const voice = await voiceOf().catch(() => ({}));
  const key = JSON.stringify([voice, account.defaults]);
  if (starting.has(key)) return;
  starting.add(key);
  last = last
    .then(() => startEngine(account, voice))
    .catch(() => undefined)
    .finally(() => starting.delete(key));
}

/** Predicts the duration of a short text: a free request that starts the engine, but loads no natural voice. */
async function startEngine({ connect, defaults }: WarmAccount, voice: VoiceChoice): Promise<void> {
  const signal = AbortSignal.timeout(TIME_LIMIT);
  const client = await connect(signal);
  const complete = await client.complete(voice, defaults, { signal });
  await client.predict({ ...complete, text: TEXT }, { signal });
}
