import {
  asSpeechError,
  type Client,
  operations,
  PAGE_SIZE,
  type SpeechDefaults,
} from '@herald-speech/client';
import { messageError, type MessageError } from '../../runtime/ports.js';
import { localizeError } from '../../runtime/localize.js';
import { ANSWER_TIMEOUT_MS, explainTest, noAnswer } from './explain-test.js';
import { endpoint, type EndpointTask } from '../endpoint/endpoint.js';
import { target } from '../endpoint/target.js';

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
  async run({ client, defaults, request: { typed }, signal, translator }): Promise<Report> {
    // The first call runs alone, so that a wrong address or key causes one error, not three.
    const { balance } = await firstCall(client, typed?.['url']?.trim() ?? '', signal);
    const [page, voice] = await Promise.all([
      client.call(operations.searchVoices, { page_size: PAGE_SIZE.min }, { signal }),
      problemOf(client, defaults, { signal, translator }),
    ]);
    return { balance, voices: page.total ?? page.items.length, voice };
  },
});

/** Reads the balance in one attempt, within 10 seconds. @throws SpeechError with the cause in the words of the dialog */
async function firstCall(
  client: Client,
  address: string,
  parent: AbortSignal,
): Promise<{ balance: number | null }> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(noAnswer()), ANSWER_TIMEOUT_MS);
  const signal = AbortSignal.any([parent, late.signal]);
  try {
    return await client.call(operations.getCredits, {}, { signal, attempts: 1 });
  } catch (error) {
    throw await explainTest(asSpeechError(error), address, parent);
  } finally {
    clearTimeout(timer);
  }
}

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
