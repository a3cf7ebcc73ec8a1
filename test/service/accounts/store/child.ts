/** A child process that uses a data folder: `child.ts hold|open|write|spill|serve DIR [USER]`. It reports in lines of JSON. */
import { writeSync } from 'node:fs';
import { answerCommand } from '../../../../service/accounts/commands.js';
import { type AccountLedger, openLedger } from '../../../../service/accounts/ledger.js';
import { serveControl } from '../../../../service/accounts/store/control.js';
import { type DataLock, lockDataFolder } from '../../../../service/kit/data-lock.js';
import { migrations } from '../../../../service/accounts/store/migrations.js';
import { openDatabase } from '../../../../service/accounts/store/open-database.js';
import { StoreError } from '../../../../service/kit/store-error.js';

/** Writes synchronously, so that a kill cannot lose a report. */
function report(line: object): void {
  writeSync(1, `${JSON.stringify(line)}\n`);
}

const stay = () => new Promise<never>(() => setInterval(() => undefined, 60_000));

/** Creates accounts, keys, voices and charges in a loop. Reports each at the moment when the service would reply. */
function write({ accounts, keys, credits, customVoices }: AccountLedger): void {
  for (let round = 0; ; round++) {
    const account = accounts.create({ name: `${process.pid}-${round}`, tier: 'pro', credits: 100 });
    const { key, id } = keys.create(account.id);
    const voice = {
      name: 'v',
      description: null,
      preset: 'rms',
      pitchShift: 1,
      pitchVariance: 1,
      rate: 1,
      sample: 'sample.wav',
    };
    const { voice_id } = customVoices.add(account.id, voice);
    const reservation = credits.reserve(account.id, 10);
    const use = { api_key: id, voice_id, voice_name: 'v', style: 'neutral', language: 'en', model: 'm' };
    credits.settle(reservation, 2.5, use);
    report({ account: account.id, key, voice_id });
  }
}

/** Kills itself during a change of more rows than SQLite's cache holds, so that a part of the change is on disk. */
function spill(lock: DataLock): void {
  const database = openDatabase(lock, migrations);
  const change = (sql: string) =>
    database.transaction(() => {
      for (let index = 0; index < 3000; index++) {
        database.run(sql, [`${index}`, `${index} ${'x'.repeat(2000)}`]);
      }
      if (sql.startsWith('UPDATE')) process.kill(process.pid, 'SIGKILL');
    });
  change("INSERT INTO accounts VALUES (?, ?, 'pro', 1000000, 1)");
  change('UPDATE accounts SET credits = 2000000 WHERE id = ?1 AND name = ?2');
}

/** Gives up the rights of root, after all modules are loaded: the user may be unable to read them. */
function becomeUser(id: number): void {
  process.setgroups?.([]);
  process.setgid?.(id);
  process.setuid?.(id);
}

async function main(): Promise<void> {
  const [, , mode, folder = '', user] = process.argv;
  if (user !== undefined) becomeUser(Number(user));
  const lock = await lockDataFolder(folder);
  if (mode === 'hold') {
    report({ held: true });
    await stay();
  }
  if (mode === 'spill') spill(lock);
  const ledger = openLedger(lock);
  if (mode === 'write') write(ledger);
  if (mode === 'serve') {
    await serveControl(folder, (command) => answerCommand(ledger, command));
    report({ serving: true });
    await stay();
  }
  ledger.close();
  await lock.release();
  report({ opened: true });
}

main().catch((error: unknown) => {
  if (!(error instanceof StoreError)) throw error;
  report({ kind: error.kind, message: error.message });
});
