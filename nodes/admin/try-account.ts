import { asSpeechError, type Client, operations, PAGE_SIZE, z } from '@herald-speech/client';
import { messageError, type MessageError } from '../runtime/ports.js';
import { endpoint } from './endpoint.js';
import { targetFields } from './target.js';

/** What the editor tells of an account that could be reached. */
interface Report {
  /** Null where the service keeps none. */
  balance: number | null;
  /** Preset voices; the service may be approximate about them. */
  voices: number;
  /** Why the account's own voice can't speak, where it can't. */
  voice?: MessageError | undefined;
}

/** Reaches the service, checks the key, and reads what can be known of the account without spending anything. */
export const tryAccount = endpoint({
  path: '/herald/test',
  permission: 'herald.read',
  request: z.object(targetFields),
  async run({ client, defaults: { voice_id, language }, signal }): Promise<Report> {
    // First and alone: an address or a key that is wrong is one failure, not three.
    const { balance } = await client.call(operations.getCredits, {}, { signal });
    const [page, voice] = await Promise.all([
      client.call(operations.searchVoices, { page_size: PAGE_SIZE.min }, { signal }),
      voice_id === undefined
        ? undefined
        : problemOf(client, { voice_id, language: language ?? 'en' }, signal),
    ]);
    return { balance, voices: page.total ?? page.items.length, voice };
  },
});

/** To predict a duration is free, and fails as speech would. */
async function problemOf(
  client: Client,
  voice: { voice_id: string; language: string },
  signal: AbortSignal,
): Promise<MessageError | undefined> {
  try {
    await client.call(operations.predictDuration, { ...voice, text: 'Hello' }, { signal });
    return undefined;
  } catch (error) {
    return messageError(asSpeechError(error));
  }
}
