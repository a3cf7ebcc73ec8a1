import assert from 'node:assert/strict';
import { currentVersion, migrated, type Migration } from '../../../nodes/account/settings.js';

/** Version 2 renames `rate` to `speed`; version 3 saves it as a string. */
const migrations: Migration[] = [
  ({ rate, ...saved }) => ({ ...saved, speed: rate }),
  (saved) => ({ ...saved, speed: String(saved['speed']) }),
];

describe('migrated', () => {
  it('converts the properties of every saved version to the newest', () => {
    const flows: [saved: object, speed: unknown][] = [
      [{ rate: 2 }, '2'],
      [{ version: 1, rate: 2 }, '2'],
      [{ version: 2, speed: 2 }, '2'],
      [{ version: 3, speed: 2 }, 2],
    ];
    for (const [saved, speed] of flows) assert.equal(migrated({ ...saved }, migrations)['speed'], speed);
    assert.equal(currentVersion(migrations), 3);
  });

  it('treats an invalid version as the oldest', () => {
    for (const version of ['2', 0, -1, 1.5, null])
      assert.equal(migrated({ version, rate: 2 }, migrations)['speed'], '2');
  });

  it('does not modify the saved properties', () => {
    const saved = Object.freeze({ rate: 2 });
    assert.deepEqual(migrated(saved, migrations)['speed'], '2');
    assert.deepEqual(saved, { rate: 2 });
  });

  it('returns the saved properties themselves if the node has no migrations', () => {
    const saved = { rate: 2 };
    assert.equal(migrated(saved, []), saved);
  });

  it('returns the saved properties themselves if their version is newer', () => {
    const saved = { version: 9, speed: 'fast' };
    assert.equal(migrated(saved, migrations), saved);
  });
});
