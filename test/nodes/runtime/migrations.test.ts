import assert from 'node:assert/strict';
import { currentVersion, migrated, type Migration } from '../../../nodes/runtime/migrations.js';

/** Three versions: `rate` became `speed`, which became a text. */
const migrations: Migration[] = [
  ({ rate, ...saved }) => ({ ...saved, speed: rate }),
  (saved) => ({ ...saved, speed: String(saved['speed']) }),
];

describe('what an older flow saved', () => {
  it('is read as the newest version has it, whatever version it is of', () => {
    const flows: [saved: object, speed: unknown][] = [
      [{ rate: 2 }, '2'],
      [{ version: 1, rate: 2 }, '2'],
      [{ version: 2, speed: 2 }, '2'],
      [{ version: 3, speed: 2 }, 2],
    ];
    for (const [saved, speed] of flows) assert.equal(migrated({ ...saved }, migrations)['speed'], speed);
    assert.equal(currentVersion(migrations), 3);
  });

  it('of a version that is none counts as the oldest', () => {
    for (const version of ['2', 0, -1, 1.5, null])
      assert.equal(migrated({ version, rate: 2 }, migrations)['speed'], '2');
  });

  it('is not changed itself, nor where nothing has changed', () => {
    const saved = Object.freeze({ rate: 2 });
    migrated(saved, migrations);
    assert.equal(migrated(saved, []), saved);
  });

  it('of a newer version than this one is taken as it is', () => {
    const saved = { version: 9, speed: 'fast' };
    assert.equal(migrated(saved, migrations), saved);
  });
});
