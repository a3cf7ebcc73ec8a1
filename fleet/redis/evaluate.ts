import { SpeechError } from '@herald-speech/client';
import type { Redis as Client } from 'ioredis';
import { fleetText } from './messages.js';
import type { Argument, Script } from './redis.js';
import { scriptOf } from './script.js';

/** Writes and deletes a key: a read-only server, or a full one, refuses it. */
export const probeScript = scriptOf(
  `redis.call('SET', KEYS[1], '1', 'PX', 1000) return redis.call('DEL', KEYS[1])`,
);

/**
 * Selects the database of the URL. ioredis does this too, but goes on with database 0 if Redis refuses.
 * @throws SpeechError `not-configured` if Redis has no such database
 */
export async function selectDatabase(client: Client): Promise<void> {
  const { db: database = 0 } = client.options;
  if (database === 0) return;
  try {
    await client.select(database);
  } catch (cause) {
    if (!(cause instanceof Error) || !/out of range|invalid DB index/i.test(cause.message)) throw cause;
    throw new SpeechError('not-configured', fleetText('redis-database', { database }), { cause });
  }
}

/**
 * Runs a script: by its text if the connection has not sent it yet, and later by its hash. Commands keep their order this way.
 * If Redis lost its scripts, after SCRIPT FLUSH, all of them are sent by their text again.
 * @param sent the hashes of the scripts that the connection has sent
 */
export async function evaluate(
  client: Client,
  call: 'call' | 'callBuffer',
  { lua, sha }: Script,
  keys: readonly string[],
  args: readonly Argument[],
  sent = new Set<string>(),
): Promise<unknown> {
  const values = [keys.length, ...keys, ...args];
  const load = () => {
    sent.add(sha);
    return client[call]('EVAL', lua, ...values);
  };
  if (!sent.has(sha)) return load();
  try {
    return await client[call]('EVALSHA', sha, ...values);
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
    sent.clear();
    return load();
  }
}
