import { type RedisConnection, connect } from '../../../fleet/redis/connection.js';
import { PATIENT_MS, type RedisServer } from '../../support/programs/redis.js';
import { until } from '../../support/waiting.js';

/** Returns numbers in ascending order. A missing number comes first. */
export const sorted = (numbers: readonly (number | undefined)[]): (number | undefined)[] =>
  [...numbers].sort((one = -1, other = -1) => one - other);

/** Runs `work` with connections of several members of one account, and closes them. */
export async function withConnections<Result>(
  { url }: Pick<RedisServer, 'url'>,
  count: number,
  work: (connections: RedisConnection[]) => Promise<Result>,
  commandMs: number = PATIENT_MS,
): Promise<Result> {
  const connections = Array.from({ length: count }, () => connect({ url }, 'account', commandMs));
  try {
    await until(() => connections.every(({ isJoined }) => isJoined));
    return await work(connections);
  } finally {
    for (const connection of connections) connection.close();
  }
}
