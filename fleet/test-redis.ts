import { SpeechError, type Text } from '@herald-speech/client';
import { unlessAborted } from '@herald-speech/client/sharing';
import { Redis as Client } from 'ioredis';
import { numbersOf } from './limits/numbers.js';
import { beatScript, limitKeys } from './limits/scripts.js';
import { fleetText } from './redis/messages.js';
import { accountId, type FleetAccount } from './redis/account-id.js';
import { evaluate, probeScript, selectDatabase } from './redis/evaluate.js';
import { COMMAND_MS, failureOf, hung } from './redis/failure.js';
import { checkedPrefix, connectionOptions, type RedisServer } from './redis/server.js';

/** The result of a test of Redis. */
export interface RedisReport {
  /** Empty if Redis does not permit INFO. */
  version: string;
  product: 'redis' | 'valkey';
  /** Median of several commands, in milliseconds. */
  latencyMs: number;
  /** Members of the fleet at this time. */
  members: number;
  /** Faults that a fleet will notice, such as a read-only server. */
  problems: Text[];
}

/** Milliseconds until a command of the test fails. */
const TEST_MS = 2000;
/** Commands whose latency is measured. */
const PINGS = 5;
/** The oldest version with the commands of the scripts. */
const NEEDED = '6.2';

/**
 * Connects to Redis, and checks that a fleet can use it.
 * @throws SpeechError with the reason and a fix if it cannot connect; `not-configured` for an invalid option
 */
export async function checkRedis(
  options: RedisServer & { account: FleetAccount },
  signal: AbortSignal,
): Promise<RedisReport> {
  const prefix = `${checkedPrefix(options.prefix)}{${accountId(options.account)}}`;
  const client = new Client({
    ...connectionOptions(options),
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
    enableReadyCheck: false,
    commandTimeout: TEST_MS,
  });
  try {
    return await unlessAborted(reportOf(client, prefix), signal);
  } finally {
    client.disconnect();
  }
}

async function reportOf(client: Client, prefix: string): Promise<RedisReport> {
  await open(client, prefix);
  const latencyMs = await latencyOf(client, prefix);
  const info = await infoOf(client, prefix);
  const problems = [...problemsIn(info, latencyMs)];
  const attempt = async <Result>(command: () => Promise<Result>): Promise<Result | undefined> => {
    try {
      return await command();
    } catch (thrown) {
      const { text } = commandFailure(thrown, prefix);
      if (text !== undefined && !problems.some(({ english }) => english === text.english))
        problems.push(text);
      return undefined;
    }
  };
  const key = (name: string) => `${prefix}:${name}`;
  await attempt(() => evaluate(client, 'call', probeScript, [key('probe')], []));
  const reply = await attempt(() => evaluate(client, 'call', beatScript, limitKeys({ key }), ['', 1]));
  // Last: the connection then accepts no other commands.
  await attempt(() => client.subscribe(key('news')));
  return {
    version: info.get('valkey_version') ?? info.get('redis_version') ?? '',
    product: info.has('valkey_version') ? 'valkey' : 'redis',
    latencyMs,
    members: numbersOf(reply)[1] ?? 0,
    problems,
  };
}

/** Connects. @throws SpeechError with the reason */
async function open(client: Client, prefix: string): Promise<void> {
  let failure: unknown;
  client.on('error', (error) => (failure ??= error));
  try {
    await client.connect();
    // Without a user name or password, the connection itself sends no command.
    await client.ping();
    await selectDatabase(client);
  } catch (thrown) {
    throw commandFailure(thrown instanceof SpeechError ? thrown : (failure ?? thrown), prefix);
  }
}

async function latencyOf(client: Client, prefix: string): Promise<number> {
  const times: number[] = [];
  try {
    for (let index = 0; index < PINGS; index += 1) {
      const start = performance.now();
      await client.ping();
      times.push(performance.now() - start);
    }
  } catch (thrown) {
    throw commandFailure(thrown, prefix);
  }
  return times.sort((a, b) => a - b)[Math.floor(PINGS / 2)] ?? 0;
}

function commandFailure(thrown: unknown, prefix: string): SpeechError {
  const isLate = thrown instanceof Error && thrown.message === 'Command timed out';
  return isLate ? hung() : failureOf(thrown, prefix);
}

/** Returns the fields of INFO; none if the user lacks the permission. */
async function infoOf(client: Client, prefix: string): Promise<Map<string, string>> {
  try {
    const info = await client.info();
    return new Map(
      [...info.matchAll(/^(\w+):(.*?)\r?$/gm)].map(([, name = '', value = '']) => [name, value]),
    );
  } catch (thrown) {
    const failure = commandFailure(thrown, prefix);
    if (failure.code === 'forbidden') return new Map();
    throw failure;
  }
}

function* problemsIn(info: ReadonlyMap<string, string>, latencyMs: number): Generator<Text> {
  if (info.size === 0) yield fleetText('redis-unknown');
  const version = info.get('redis_version');
  if (version !== undefined && version.localeCompare(NEEDED, 'en', { numeric: true }) < 0)
    yield fleetText('redis-version', { version, needed: NEEDED });
  const policy = info.get('maxmemory_policy') ?? 'noeviction';
  if (info.get('maxmemory') !== '0' && policy !== 'noeviction') yield fleetText('redis-eviction', { policy });
  if (info.get('redis_mode') === 'cluster') yield fleetText('redis-cluster');
  if (latencyMs > COMMAND_MS) yield fleetText('redis-slow', { milliseconds: COMMAND_MS });
}
