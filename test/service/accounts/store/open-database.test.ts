import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, open, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { type DataLock, lockDataFolder } from '../../../../service/kit/data-lock.js';
import type { Database } from '../../../../service/accounts/store/database.js';
import { migrations } from '../../../../service/accounts/store/migrations.js';
import { openDatabase } from '../../../../service/accounts/store/open-database.js';
import { isStoreError, kill, useDataFolder } from './support.js';

const PAGE = 4096;
const named = z.object({ name: z.string() });

describe('the database of a data folder', () => {
  const data = useDataFolder();
  let lock: DataLock;
  beforeEach(async () => {
    lock = await lockDataFolder(data.folder());
  });
  afterEach(async () => lock.release());

  const using = <Result>(
    work: (database: Database) => Result,
    steps: readonly string[] = migrations,
  ): Result => {
    const database = openDatabase(lock, steps);
    try {
      return work(database);
    } finally {
      database.close();
    }
  };
  const add = (database: Database, name: string) =>
    database.run("INSERT INTO accounts VALUES (?, ?, 'pro', 1, 1)", [`id-${name}`, name]);
  const names = (database: Database) =>
    database.all(named, 'SELECT name FROM accounts ORDER BY name').map(({ name }) => name);
  const fill = (database: Database, count: number) =>
    database.transaction(() => {
      for (let index = 0; index < count; index++) add(database, `${index}-${'x'.repeat(500)}`);
    });

  it('keeps its rows after it is closed and opened again', () => {
    using((database) => add(database, 'kept'));
    assert.deepEqual(using(names), ['kept']);
  });

  it('removes the note of former versions from the descriptions of approximated voices', () => {
    const note =
      'An approximation: a built-in voice with the pitch, pitch range and rate of the sample, not its timbre or accent.';
    const texts = [note, `My voice (${note})`, 'My voice (loud) ', null];
    using(
      (database) => {
        add(database, 'me');
        for (const [index, text] of texts.entries()) {
          const sql = `INSERT INTO clones VALUES (?, ?, 'id-me', 'Me', ?, 'slt', 0, 1, 'sample', 1, 1)`;
          database.run(sql, [index, `clone-${index}`, text]);
        }
      },
      migrations.slice(0, -1),
    );
    const row = z.object({ description: z.string().nullable() });
    const kept = using((database) => database.all(row, 'SELECT description FROM clones ORDER BY place'));
    assert.deepEqual(
      kept.map(({ description }) => description),
      ['', 'My voice', 'My voice (loud) ', null],
    );
  });

  it('rolls back a failed transaction with its nested transactions', () => {
    using((database) => {
      const broken = () =>
        database.transaction(() => {
          add(database, 'one');
          database.transaction(() => add(database, 'two'));
          throw new Error('broken');
        });
      assert.throws(broken, /broken/);
      assert.deepEqual(names(database), []);
    });
  });

  it('rejects a text with a NUL character', () => {
    using((database) => assert.throws(() => add(database, 'half\0lost'), RangeError));
  });

  describe('if it is damaged', () => {
    const fingerprint = async () => {
      const files = ['herald.sqlite', 'herald.sqlite-wal'].map((name) => data.file(name));
      const present = files.filter((file) => existsSync(file));
      const contents = await Promise.all(present.map(async (file) => readFile(file)));
      return contents.map((bytes) => createHash('sha256').update(bytes).digest('hex'));
    };
    const overwrite = async (bytes: Uint8Array, position: number) => {
      const file = await open(data.file(), 'r+');
      await file.write(bytes, 0, bytes.length, position);
      await file.close();
    };
    const refuses = async (words: RegExp) => {
      const before = await fingerprint();
      for (const _ of [1, 2]) {
        assert.throws(() => openDatabase(lock, migrations), isStoreError('corrupt', words));
      }
      assert.deepEqual(await fingerprint(), before);
    };

    it('rejects random bytes in the middle, and changes nothing', async () => {
      using((database) => fill(database, 200));
      await overwrite(randomBytes(2 * PAGE), 10 * PAGE);
      await refuses(/damaged.*malformed/);
    });

    it('rejects random bytes at the start, and changes nothing', async () => {
      using((database) => fill(database, 200));
      await overwrite(randomBytes(PAGE), 0);
      await refuses(/damaged/);
    });

    it('rejects a truncated file, and changes nothing', async () => {
      using((database) => fill(database, 200));
      await truncate(data.file(), 20 * PAGE + 17);
      await refuses(/damaged.*malformed/);
    });

    it('rejects a damaged file with a pending log, and changes neither', async () => {
      using((database) => fill(database, 400));
      await lock.release();
      const { child, lines } = data.start('write');
      await lines.next();
      await kill(child);
      lock = await lockDataFolder(data.folder());
      assert.ok(existsSync(data.file('herald.sqlite-wal')));
      await overwrite(randomBytes(20 * PAGE), 10 * PAGE);
      await refuses(/damaged/);
    });

    it('rejects an empty file, and changes nothing', async () => {
      await writeFile(data.file(), '');
      await refuses(/is empty/);
    });

    it('rejects a file that is not a database, and changes nothing', async () => {
      await writeFile(data.file(), 'Dear diary, '.repeat(2000));
      await refuses(/not a database/);
    });

    it('rejects a log without a database, and changes nothing', async () => {
      await writeFile(data.file('herald.sqlite-wal'), randomBytes(PAGE));
      await refuses(/restore the file/);
    });

    it('rejects a row of another program when it reads the row', () => {
      using((database) => {
        add(database, 'odd');
        const number = z.object({ name: z.number() });
        const read = () => database.all(number, 'SELECT name FROM accounts');
        assert.throws(read, isStoreError('corrupt', /did not write/));
      });
    });
  });

  describe('on a full disk', () => {
    it('reports the full disk, keeps its rows, and continues when space is free again', () => {
      using((database) => {
        add(database, 'before');
        database.exec('PRAGMA max_page_count = 20');
        assert.throws(() => fill(database, 1000), isStoreError('full', /the disk is full/));
        assert.deepEqual(names(database), ['before']);
        database.exec('PRAGMA max_page_count = 100000');
        fill(database, 1000);
        assert.equal(names(database).length, 1001);
      });
      assert.equal(using(names).length, 1001);
    });

    it('keeps everything that was reported, with a real limit on the file size', async () => {
      await lock.release();
      const { lines } = data.start('write', { before: 'ulimit -f 300' });
      const reported = await lines.all();
      const last = reported.pop();
      assert.equal(last?.['kind'], 'full', JSON.stringify(last));
      assert.match(String(last['message']), /the disk is full/);
      assert.ok(reported.length > 0);
      await data.withLedger(({ keys, accounts }) => {
        for (const line of reported) assert.ok(keys.authenticate(String(line['key'])));
        accounts.create({ name: 'after', tier: 'free', credits: 0 });
      });
      lock = await lockDataFolder(data.folder());
    });
  });

  describe('if it is not writable', () => {
    /** Root may write everywhere, so a child of root becomes another user. */
    const other = process.getuid?.() === 0 ? { user: 65_534 } : {};
    const openAsUser = async () => (await data.start('open', other).lines.all())[0];

    it('reports a read-only folder', async () => {
      await lock.release();
      await rm(data.file('run'), { recursive: true });
      await chmod(data.folder(), 0o555);
      const report = await openAsUser();
      assert.equal(report?.['kind'], 'read-only', JSON.stringify(report));
      assert.match(String(report['message']), /is not writable/);
    });

    it('reports a read-only file', async () => {
      using(names);
      await lock.release();
      await rm(data.file('run'), { recursive: true });
      await chmod(data.file(), 0o444);
      await chmod(data.folder(), 0o777);
      const report = await openAsUser();
      assert.equal(report?.['kind'], 'read-only', JSON.stringify(report));
      assert.match(String(report['message']), /herald\.sqlite: it is not writable/);
    });
  });

  describe('with another schema version', () => {
    const version = (database: Database) =>
      database.get(z.object({ user_version: z.number() }), 'PRAGMA user_version')?.user_version;

    for (let from = 1; from < migrations.length; from++) {
      it(`migrates version ${from} to the current version and keeps its rows`, () => {
        using((database) => add(database, 'old'), migrations.slice(0, from));
        using((database) => {
          assert.equal(version(database), migrations.length);
          assert.deepEqual(names(database), ['old']);
          assert.deepEqual(database.all(named, 'SELECT name FROM clones'), []);
        });
      });
    }

    it('rejects a later version, and changes nothing', async () => {
      using(names, [...migrations, 'CREATE TABLE later (id TEXT) STRICT']);
      const before = await readFile(data.file());
      const words = new RegExp(`version ${migrations.length + 1}.*up to ${migrations.length}`);
      assert.throws(() => openDatabase(lock, migrations), isStoreError('too-new', words));
      assert.deepEqual(await readFile(data.file()), before);
    });

    it('keeps its version and rows if a step fails, and can be opened again', () => {
      using((database) => add(database, 'old'), migrations.slice(0, 1));
      const broken = [...migrations.slice(0, 1), 'CREATE TABLE half (id TEXT) STRICT; CREATE nonsense'];
      assert.throws(() => openDatabase(lock, broken), isStoreError('failed', /syntax error/));
      using((database) => {
        assert.deepEqual(names(database), ['old']);
        const tables = database.all(named, "SELECT name FROM sqlite_master WHERE name = 'half'");
        assert.deepEqual(tables, []);
      });
    });
  });
});
