/** Explains why the test of an account failed, in the words of its dialog. */
import { connect } from 'node:tls';
import { SpeechError } from '@herald-speech/client';
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
 * Returns the error of a test with its cause: no answer, the wrong scheme, or no speech service at the address. Any other
 * error stays the same.
 */
export async function explainTest(
  error: SpeechError,
  { field, address }: TestedAddress,
  signal: AbortSignal,
): Promise<SpeechError> {
  if (['connect-timeout', 'reply-timeout'].includes(keyOf(error))) return noAnswer(field);
  const scheme =
    field === 'url' && URL.canParse(address) ? await rightScheme(error, new URL(address), signal) : undefined;
  if (typeof scheme === 'string') return error.with({ message: say('test-scheme', { field, scheme }) });
  return isNoService(error) ? error.with({ message: say('test-no-service', { field }) }) : error;
}

/** A server that is not a speech service replies with another type or form, "not found" or "method not allowed". */
const isNoService = (error: SpeechError): boolean =>
  ['bad-reply', 'not-found'].includes(error.code) || error.status === 405 || keyOf(error) === 'reply-http';

/** Returns the key of a message. The message of a failed connection is inside another one that adds the code. */
function keyOf({ text }: SpeechError): string {
  const failure = text?.values['failure'];
  return typeof failure === 'object' && 'key' in failure ? failure.key : (text?.key ?? '');
}

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
