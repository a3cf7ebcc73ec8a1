import { Database as Sqlite } from 'node-sqlite3-wasm';
import { z } from 'zod';
import { asSqliteError } from './sqlite-error.js';
import { Reserve } from './reserve.js';
import { StoreError } from '../../kit/store-error.js';

export type SqlValue = string | number | Uint8Array | null;

/** A connection to SQLite. Every method throws a StoreError if the disk or the file fails. */
export class Database {
  readonly #sqlite: Sqlite;
  readonly #reserve: Reserve;

  /** Opens a file. Creates it if it is missing, unless `readOnly` is set. */
  constructor(
    readonly file: string,
    { readOnly = false } = {},
  ) {
    this.#sqlite = this.#call(() => new Sqlite(file, { readOnly }));
    this.#reserve = new Reserve(`${file}-reserve`);
  }

  /**
   * Returns all rows of a query, parsed with the schema `row`.
   * @throws StoreError `corrupt` if a row does not match the schema, because then another program changed the file
   */
  all<Row extends z.ZodType>(row: Row, sql: string, values: SqlValue[] = []): z.output<Row>[] {
    const bound = bindable(values);
    const rows = this.#call(() => this.#sqlite.all(sql, bound));
    const parsed = z.array(row).safeParse(rows);
    if (parsed.success) return parsed.data;
    const message = `${this.file} contains a row that this program did not write: restore a backup`;
    throw new StoreError('corrupt', message, { cause: parsed.error });
  }

  /** Returns the first row of a query, parsed with the schema `row`. */
  get<Row extends z.ZodType>(row: Row, sql: string, values: SqlValue[] = []): z.output<Row> | undefined {
    return this.all(row, sql, values)[0];
  }

  /** Runs one statement and returns the number of changed rows. Outside a transaction, the change is then on disk. */
  run(sql: string, values: SqlValue[] = []): number {
    const bound = bindable(values);
    return this.#call(() => this.#sqlite.run(sql, bound).changes);
  }

  /** Runs several statements without values. */
  exec(sql: string): void {
    this.#call(() => this.#sqlite.exec(sql));
  }

  /**
   * Runs `work` in a transaction. The changes are on disk when the method returns. A nested call joins the outer
   * transaction.
   * @throws the error of `work`, after a rollback
   */
  transaction<Result>(work: () => Result): Result {
    if (this.#sqlite.inTransaction) return work();
    this.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.exec('COMMIT');
      return result;
    } catch (error) {
      // SQLite itself rolls back after some disk failures.
      if (this.#sqlite.inTransaction) this.exec('ROLLBACK');
      throw error;
    }
  }

  /** Keeps disk space for `freeing`, as the file `herald.sqlite-reserve`. */
  keepReserve(): void {
    this.#reserve.fill();
  }

  /**
   * Runs work that must succeed on a full disk, such as a deletion. If the disk is full, frees the reserve and the space of
   * the log, and runs the work again.
   * @throws the error of `work`
   */
  freeing<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof StoreError && error.kind === 'full')) throw error;
      this.#reserve.release();
      this.#truncateLog();
      return work();
    } finally {
      this.#reserve.fill();
    }
  }

  #truncateLog(): void {
    try {
      this.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    } catch {
      // The pages of the log do not fit into the database file.
    }
  }

  /** May be called more than once. */
  close(): void {
    if (this.#sqlite.isOpen) this.#call(() => this.#sqlite.close());
  }

  /** Calls SQLite and converts its errors to a StoreError. */
  #call<Result>(action: () => Result): Result {
    try {
      return action();
    } catch (error) {
      throw asSqliteError(error, this.file);
    }
  }
}

/** Rejects texts with a NUL character, because the SQLite package silently cuts a text there. */
function bindable(values: SqlValue[]): SqlValue[] {
  const cut = values.find((value) => typeof value === 'string' && value.includes('\0'));
  if (cut !== undefined)
    throw new RangeError('the database cannot store a text with a NUL character: remove it');
  return values;
}
