/** Explains why the test of an account failed, in the words of its dialog. */
import { connect } from 'node:tls';
import { SpeechError, type Text } from '@herald-speech/client';
import { say } from '../../runtime/messages.js';

/** Milliseconds of a test without an answer. */
export const ANSWER_TIMEOUT_MS = 10_000;
/** Milliseconds to find out if a port uses TLS. */
const PROBE_TIMEOUT_MS = 3000;

/** The address of a test: the property of the dialog and its value. */
export interface TestedAddress {
  field: 'url' | 'address';
  address: string;
}

export const noAnswer = (field: TestedAddress['field'] = 'url'): SpeechError =>
  new SpeechError('timed-out', say('test-no-answer', { seconds: ANSWER_TIMEOUT_MS / 1000, field }));

/**
 * Returns the error of a test with its cause, the field and the fix: no connection, no answer, a refused key, the wrong scheme, or no
 * speech service at the address. Any other error stays the same.
 */
export async function explainTest(
  error: SpeechError,
  { field, address }: TestedAddress,
  signal: AbortSignal,
): Promise<SpeechError> {
  const keys = keysOf(error.text);
  // The address of the proxy is another one.
  if (keys.includes('proxy')) return error;
  if (keys.some((key) => TOO_LATE.includes(key))) return noAnswer(field);
  const cause = keys.map((key) => CAUSES.get(key)).find((known) => known !== undefined);
  if (cause !== undefined) return error.with({ message: say(cause, { field }) });
  const isKeyMissing = keys.includes('openai-key');
  if (isKeyMissing || keys.includes('refused-401'))
    return error.with({ message: say(isKeyMissing ? 'test-key-missing' : 'test-key', { field: 'apiKey' }) });
  const scheme =
    field === 'url' && URL.canParse(address) ? await rightScheme(error, new URL(address), signal) : undefined;
  if (typeof scheme === 'string') return error.with({ message: say('test-scheme', { field, scheme }) });
  return isNoService(error) ? error.with({ message: say('test-no-service', { field }) }) : error;
}

/** A server that is not a speech service replies with another type or form, "not found" or "method not allowed". */
const isNoService = (error: SpeechError): boolean =>
  ['bad-reply', 'not-found'].includes(error.code) ||
  error.status === 405 ||
  keysOf(error.text).includes('reply-http');

/** Returns the keys of a message. The message of a failed connection is inside others that add the code and the address. */
function keysOf(message: Text | undefined): string[] {
  if (message === undefined) return [];
  const { failure } = message.values;
  return [message.key, ...(typeof failure === 'object' && 'key' in failure ? keysOf(failure) : [])];
}

/** The keys of a service that is too slow. */
const TOO_LATE: readonly string[] = ['connect-timeout', 'reply-timeout'];

/** The cause of each failed connection in the words of the dialog. */
const CAUSES: ReadonlyMap<string, 'test-refused' | 'test-host' | 'test-unreachable'> = new Map([
  ['refused', 'test-refused'],
  ['host-unknown', 'test-host'],
  ['host-lookup', 'test-host'],
  ['host-unreachable', 'test-unreachable'],
  ['network-unreachable', 'test-unreachable'],
]);

/** Returns the scheme that the port uses, if it is not the scheme of the address. */
async function rightScheme(
  error: SpeechError,
  { protocol, hostname, port }: URL,
  signal: AbortSignal,
): Promise<'http://' | 'https://' | undefined> {
  if (protocol === 'https:') return isPlainText(error) ? 'http://' : undefined;
  const isDoubtful = error.code === 'no-reply' || error.code === 'bad-request' || isNoService(error);
  const host = hostname.replace(/^\[|\]$/g, '');
  return isDoubtful && (await usesTls(host, Number(port || 80), signal)) ? 'https://' : undefined;
}

/** Whether the TLS handshake failed because the server sent plain text. */
function isPlainText(error: SpeechError): boolean {
  for (let cause: unknown = error.cause; cause instanceof Error; cause = cause.cause) {
    if (
      'code' in cause &&
      /^(EPROTO|ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG))$/.test(String(cause.code))
    )
      return true;
  }
  return false;
}

/** Whether a port answers a TLS handshake. Sends no data. */
function usesTls(host: string, port: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    // The certificate does not matter: the connection carries nothing.
    const socket = connect({ host, port, rejectUnauthorized: false });
    const end = (result: boolean) => {
      socket.destroy();
      resolve(result);
    };
    socket.setTimeout(PROBE_TIMEOUT_MS, () => end(false));
    socket.once('secureConnect', () => end(true));
    socket.once('error', () => end(false));
    signal.addEventListener('abort', () => end(false), { once: true });
  });
}
