/**
 * The steps from an empty database to the current schema. The schema version is the number of completed steps. Never
 * change a released step: add a new step at the end.
 *
 * Amounts of audio are whole microseconds, so that sums are exact. Times are milliseconds since 1970.
 */
export const migrations: readonly string[] = [
  `CREATE TABLE accounts (
     id TEXT PRIMARY KEY,
     name TEXT NOT NULL UNIQUE,
     tier TEXT NOT NULL,
     credits INTEGER NOT NULL CHECK (credits >= 0),
     created INTEGER NOT NULL
   ) STRICT;
   CREATE TABLE keys (
     id TEXT PRIMARY KEY,
     account TEXT NOT NULL REFERENCES accounts (id),
     hash BLOB NOT NULL UNIQUE,
     hint TEXT NOT NULL,
     created INTEGER NOT NULL,
     revoked INTEGER
   ) STRICT;
   CREATE INDEX keys_by_account ON keys (account);
   CREATE TABLE usage (
     account TEXT NOT NULL REFERENCES accounts (id),
     api_key TEXT NOT NULL,
     voice_id TEXT NOT NULL,
     voice_name TEXT NOT NULL,
     style TEXT NOT NULL,
     language TEXT NOT NULL,
     model TEXT NOT NULL,
     amount INTEGER NOT NULL CHECK (amount >= 0),
     at INTEGER NOT NULL
   ) STRICT;
   CREATE INDEX usage_by_time ON usage (account, at);`,

  `CREATE TABLE clones (
     place INTEGER PRIMARY KEY AUTOINCREMENT,
     voice_id TEXT NOT NULL UNIQUE,
     account TEXT NOT NULL REFERENCES accounts (id),
     name TEXT NOT NULL,
     description TEXT,
     preset TEXT NOT NULL,
     pitch_shift REAL NOT NULL,
     rate REAL NOT NULL,
     sample TEXT NOT NULL,
     created INTEGER NOT NULL
   ) STRICT;
   CREATE INDEX clones_by_account ON clones (account, place);`,

  `ALTER TABLE clones ADD COLUMN pitch_variance REAL NOT NULL DEFAULT 1;`,

  // `hour` is the time at which the hour begins. The table keeps sums only: docs/decisions/0026.
  `CREATE TABLE usage_by_hour (
     account TEXT NOT NULL REFERENCES accounts (id),
     hour INTEGER NOT NULL,
     voice_id TEXT NOT NULL,
     voice_name TEXT NOT NULL,
     style TEXT NOT NULL,
     language TEXT NOT NULL,
     model TEXT NOT NULL,
     api_key TEXT NOT NULL,
     amount INTEGER NOT NULL CHECK (amount >= 0),
     PRIMARY KEY (account, hour, voice_id, voice_name, style, language, model, api_key)
   ) STRICT, WITHOUT ROWID;
   INSERT INTO usage_by_hour
     SELECT account, at / 3600000 * 3600000 AS hour, voice_id, voice_name, style, language, model, api_key, SUM(amount)
     FROM usage
     GROUP BY account, hour, voice_id, voice_name, style, language, model, api_key;
   DROP TABLE usage;`,

  // Former versions added a note to the descriptions of approximated voices. Replies now state it in a field.
  `UPDATE clones SET description = rtrim(replace(replace(description, ' (' || note || ')', ''), note, ''))
     FROM (SELECT 'An approximation: a built-in voice with the pitch, pitch range and rate of the sample, '
       || 'not its timbre or accent.' AS note)
     WHERE description LIKE '%' || note || '%';`,
];
