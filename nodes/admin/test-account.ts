import {
  asSpeechError,
  type Client,
  operations,
  PAGE_SIZE,
  type SpeechDefaults,
} from '@herald-speech/client';
import { messageError, type MessageError } from '../runtime/ports.js';
import { localizeError } from '../runtime/localize.js';
import { endpoint, type EndpointTask } from './endpoint.js';
import { target } from './target.js';

/** The result of a successful test. */
interface Report {
  /** Credit balance, or null if the service has no credits. */
  balance: number | null;
  /** Number of preset voices, which can be approximate. */
  voices: number;
  /** The error that speaking with the account's default voice would cause, if any. */
  voice?: MessageError | undefined;
}

/** Tests the connection and the key, and reads the balance and the voices. Costs no credits. */
export const testAccount = endpoint({
  path: '/herald/test',
  permission: 'herald.read',
  request: target,
  async run({ client, defaults, signal, translator }): Promise<Report> {
    // The first call runs alone, so that a wrong address or key causes one error, not three.
    const { balance } = await client.call(operations.getCredits, {}, { signal });
    const [page, voice] = await Promise.all([
      client.call(operations.searchVoices, { page_size: PAGE_SIZE.min }, { signal }),
      problemOf(client, defaults, { signal, translator }),
    ]);
    return { balance, voices: page.total ?? page.items.length, voice };
  },
});

/** Returns the error that speaking with the defaults would cause. Predicting a duration is free and fails like speech. */
async function problemOf(
  client: Client,
  defaults: SpeechDefaults,
  { signal, translator }: Pick<EndpointTask<unknown>, 'signal' | 'translator'>,
): Promise<MessageError | undefined> {
  try {
    const voice = await client.complete({}, defaults, { signal });
    await client.predict({ ...voice, text: 'Hello' }, { signal });
    return undefined;
  } catch (error) {
    return messageError(localizeError(translator, asSpeechError(error)));
  }
}
