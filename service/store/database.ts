import { Database as Sqlite } from 'node-sqlite3-wasm';
import { z } from 'zod';
import { asSqliteError } from './sqlite-error.js';
import { StoreError } from './store-error.js';

export type SqlValue = string | number | Uint8Array | null;

/** A connection to SQLite. Every method throws a StoreError where the disk or the file lets it down. */
export class Database {
  readonly #sqlite: Sqlite;

  /** Opens a file, which is made where it is missing unless `readOnly`. */
  constructor(
    readonly file: string,
    { readOnly = false } = {},
  ) {
    this.#sqlite = this.#tell(() => new Sqlite(file, { readOnly }));
  }

  /** Rows as `row` describes them; a row that is otherwise means a damaged file. */
  all<Row extends z.ZodType>(row: Row, sql: string, values: SqlValue[] = []): z.output<Row>[] {
    const bound = bindable(values);
    const rows = this.#tell(() => this.#sqlite.all(sql, bound));
    const parsed = z.array(row).safeParse(rows);
    if (parsed.success) return parsed.data;
    const words = `${this.file} holds a row that this program did not write`;
    throw new StoreError('corrupt', words, { cause: parsed.error });
  }

  /** The first row. */
  get<Row extends z.ZodType>(row: Row, sql: string, values: SqlValue[] = []): z.output<Row> | undefined {
    return this.all(row, sql, values)[0];
  }

  /** Changes rows, and returns how many. Outside of `transaction` it is on the disk when this returns. */
  run(sql: string, values: SqlValue[] = []): number {
    const bound = bindable(values);
    return this.#tell(() => this.#sqlite.run(sql, bound).changes);
  }

  /** Several statements without values. */
  exec(sql: string): void {
    this.#tell(() => this.#sqlite.exec(sql));
  }

  /** All or nothing, on the disk when this returns. Inside of another it is a part of that one. */
  transaction<Result>(work: () => Result): Result {
    if (this.#sqlite.inTransaction) return work();
    this.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.exec('COMMIT');
      return result;
    } catch (error) {
      // SQLite has rolled back on its own after some failures of the disk.
      if (this.#sqlite.inTransaction) this.exec('ROLLBACK');
      throw error;
    }
  }

  /** May be called more than once. */
  close(): void {
    if (this.#sqlite.isOpen) this.#tell(() => this.#sqlite.close());
  }

  #tell<Result>(action: () => Result): Result {
    try {
      return action();
    } catch (error) {
      throw asSqliteError(error, this.file);
    }
  }
}

/** A text ends at its first NUL in this package, without a word: better no text than half of it. */
function bindable(values: SqlValue[]): SqlValue[] {
  const cut = values.find((value) => typeof value === 'string' && value.includes('\0'));
  if (cut !== undefined) throw new RangeError('a text with a NUL character can not be stored');
  return values;
}
