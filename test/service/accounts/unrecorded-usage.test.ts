import assert from 'node:assert/strict';
import { REPORT_INTERVAL, UnrecordedUsage } from '../../../service/accounts/unrecorded-usage.js';
import type { LogEntry } from '../../../service/log.js';
import { StoreError } from '../../../service/store/store-error.js';

describe('the log of unrecorded usage', () => {
  it('has one entry per interval, with the sum of the requests since the last entry', () => {
    const entries: LogEntry[] = [];
    let now = 0;
    const unrecorded = new UnrecordedUsage(
      (entry) => entries.push(entry),
      () => now,
    );
    const full = new StoreError('full', 'the disk is full');
    for (let request = 0; request < 5; request += 1) unrecorded.add(1.5, full);
    now = REPORT_INTERVAL;
    unrecorded.add(2, full);
    assert.deepEqual(entries, [
      { level: 'error', error: 'usage not recorded, 1.5 s of audio in 1 request: the disk is full' },
      { level: 'error', error: 'usage not recorded, 8 s of audio in 5 requests: the disk is full' },
    ]);
  });
});
