import { SpeechError, type FailureCode, type Text } from '@herald-speech/client';
import { fleetText } from './messages.js';

/** Default milliseconds until a reply is late. The caller goes on within 250 milliseconds, also if its timer is late. */
export const COMMAND_MS = 200;

/** Milliseconds until a connection attempt fails. */
export const CONNECT_MS = 2000;

/** The replies with which Redis refuses a command, by the first match. Scripts add their own text before and after. */
const refusals: readonly (readonly [RegExp, FailureCode, (problem: string, prefix: string) => Text])[] = [
  [/\bREADONLY\b/, 'service-failed', () => fleetText('redis-read-only')],
  [/\bOOM\b/, 'service-failed', () => fleetText('redis-memory')],
  [/\b(LOADING|MASTERDOWN)\b/, 'service-failed', () => fleetText('redis-loading')],
  [/\b(WRONGPASS|NOAUTH)\b|ERR AUTH|invalid password/i, 'unauthorized', () => fleetText('redis-login')],
  [/\bNOPERM\b/i, 'forbidden', (problem, prefix) => fleetText('redis-permission', { problem, prefix })],
  [/\b(MOVED|ASK|CLUSTERDOWN|CROSSSLOT)\b/, 'not-configured', () => fleetText('redis-cluster')],
  [/\bBUSY\b/, 'service-failed', () => fleetText('redis-slow', { milliseconds: COMMAND_MS })],
];

/** The client cannot read the reply, for example the reply of a web server or of a TLS port. */
const FOREIGN = /Unknown RESP type|Please report this/;

const CERTIFICATE = /certificate|self.signed|SSL|TLS|wrong version number|packet length too long/i;

/** The command got no reply within its deadline. */
export const hung = (): SpeechError => new SpeechError('no-connection', fleetText('redis-hung'));

/** Redis replies, but after the deadline in milliseconds. */
export const slow = (milliseconds: number): SpeechError =>
  new SpeechError('no-connection', fleetText('redis-slow', { milliseconds }));

/**
 * Returns the reason why a connection or a command failed.
 * @param thrown an error of the Redis client
 * @param prefix the beginning of all keys, for the message about a lacking permission
 */
export function failureOf(thrown: unknown, prefix: string): SpeechError {
  if (thrown instanceof SpeechError) return thrown;
  const problem = problemOf(thrown);
  // Not the error of the library: it has the arguments of its command, such as a password or a text.
  const cause = new Error(problem);
  for (const [pattern, code, message] of refusals) {
    if (pattern.test(problem)) return new SpeechError(code, message(problem, prefix), { cause });
  }
  if (thrown instanceof Error && thrown.name === 'ReplyError')
    return new SpeechError('service-failed', fleetText('redis-refused', { problem }), { cause });
  if (FOREIGN.test(problem)) return new SpeechError('not-configured', fleetText('redis-foreign'), { cause });
  if (problem === 'connect ETIMEDOUT')
    return new SpeechError('no-connection', fleetText('redis-unreachable', { seconds: CONNECT_MS / 1000 }), {
      cause,
    });
  if (CERTIFICATE.test(problem))
    return new SpeechError('insecure-connection', fleetText('redis-certificate', { problem }), { cause });
  return new SpeechError('no-connection', fleetText('redis-gone', { problem }), { cause });
}

/** The part of `unknown command` in which Redis repeats the arguments. A server without AUTH would repeat the password. */
const ARGUMENTS = /,? with args beginning with:.*/s;

/** Returns the message of an error; of an AggregateError, which has none, the message of its first error. */
function problemOf(thrown: unknown): string {
  if (thrown instanceof AggregateError && thrown.message === '') return problemOf(thrown.errors[0]);
  const problem = thrown instanceof Error ? thrown.message : String(thrown);
  return problem.replace(ARGUMENTS, '');
}
