import type { Redis as Client } from 'ioredis';
import type { Argument, Script } from './redis.js';
import { scriptOf } from './script.js';

/** Writes and deletes a key: a read-only server, or a full one, refuses it. */
export const probeScript = scriptOf(
  `redis.call('SET', KEYS[1], '1', 'PX', 1000) return redis.call('DEL', KEYS[1])`,
);

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
