import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { AccountLedger } from '../../../../service/accounts/ledger.js';
import { lockDataFolder } from '../../../../service/kit/data-lock.js';
import { migrations } from '../../../../service/accounts/store/migrations.js';
import { openDatabase } from '../../../../service/accounts/store/open-database.js';
import { kill, useDataFolder } from './support.js';

const KILLS = 6;

describe('a data folder after kill -9', () => {
  const data = useDataFolder();

  const integrity = async () => {
    const lock = await lockDataFolder(data.folder());
    const database = openDatabase(lock, migrations);
    const found = database.all(z.object({ integrity_check: z.string() }), 'PRAGMA integrity_check');
    database.close();
    await lock.release();
    return found;
  };

  /** Asserts that the account, key, voice, credits and usage of a reported line exist. */
  function assertKept(
    { accounts, keys, usage, customVoices }: AccountLedger,
    line: Record<string, unknown>,
  ): void {
    const id = String(line['account']);
    assert.equal(keys.authenticate(String(line['key']))?.account.id, id);
    assert.equal(customVoices.get(id, String(line['voice_id'])).name, 'v');
    assert.equal(accounts.get(id).credits, 97.5);
    const today = new Date().toISOString().slice(0, 10);
    const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    const { usages } = usage.byVoice(id, { start_date: yesterday, end_date: today });
    assert.deepEqual(
      usages.map(({ total_minutes_used }) => total_minutes_used),
      [2.5 / 60],
    );
  }

  it(`contains everything that was reported, after ${KILLS} kills in a row, and can be locked`, async () => {
    const answered: Record<string, unknown>[] = [];
    for (let round = 0; round < KILLS; round++) {
      const { child, lines } = data.start('write');
      await lines.next();
      await delay(Math.random() * 120);
      await kill(child);
      const reported = await lines.all();
      assert.ok(reported.length > 0 && reported.every((line) => 'key' in line), JSON.stringify(reported[0]));
      answered.push(...reported);
    }
    assert.deepEqual(await integrity(), [{ integrity_check: 'ok' }]);
    await data.withLedger((ledger) => {
      for (const line of answered) assertKept(ledger, line);
      // Each kill can leave at most one account that was created and not yet reported.
      assert.ok(ledger.accounts.list().length <= answered.length + KILLS);
    });
  });

  it('contains no part of an interrupted transaction', async () => {
    const { child } = data.start('spill');
    assert.deepEqual(await once(child, 'exit'), [null, 'SIGKILL']);
    assert.deepEqual(await integrity(), [{ integrity_check: 'ok' }]);
    const all = await data.withLedger(({ accounts }) => accounts.list());
    assert.equal(all.length, 3000);
    assert.deepEqual(new Set(all.map(({ credits }) => credits)), new Set([1]));
  });

  it('opens after a kill during the creation of the database', async () => {
    await writeFile(data.file('herald.sqlite.new'), 'half a database');
    await writeFile(data.file('herald.sqlite.new-wal'), 'half a log');
    await mkdir(data.file('herald.sqlite.new.lock'));
    await data.withLedger(({ accounts }) => accounts.create({ name: 'first', tier: 'free', credits: 0 }));
    assert.equal(existsSync(data.file('herald.sqlite.new')), false);
  });
});
