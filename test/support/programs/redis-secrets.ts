import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { RedisServer } from './redis.js';

/**
 * Fails if a complete dump of Redis has one of the secrets.
 * @param redis a server that does not compress its dumps
 * @param prefix the beginning of the keys of the fleet, which the dump must have
 */
export async function leavesNoSecret(
  redis: RedisServer,
  prefix: string,
  secrets: readonly string[],
): Promise<void> {
  const file = path.join(os.tmpdir(), `herald-fleet-${process.pid}.rdb`);
  try {
    await redis.cli('--rdb', file);
    const dump = readFileSync(file);
    assert.ok(dump.includes(`${prefix}{`), 'the dump has the keys of the fleet');
    const keys = await redis.cli('--scan');
    const values = dump.toString('latin1');
    for (const secret of secrets)
      for (const form of [secret, Buffer.from(secret).toString('base64')]) {
        assert.ok(!values.includes(form));
        assert.ok(!keys.includes(form));
      }
  } finally {
    rmSync(file, { force: true });
  }
}
