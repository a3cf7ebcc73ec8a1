import assert from 'node:assert/strict';
import path from 'node:path';
import { replayOf } from '../../../nodes/lib/announcement-facts.js';

describe('replayOf', () => {
  const bases = [
    'http://10.0.0.5:1880',
    'http://[fe80::1%eth0]:1881',
    'http://house.example/?a=1',
    'http://x#y',
  ];
  for (const base of bases) {
    it(`returns the file behind a URL that starts with ${base}`, () => {
      const url = `${base}/herald/audio/0a.wav`;
      const delivered = { payload: url, location: { url }, isLast: true };
      const format = { encoding: 'pcm', sampleRate: 22_050 };
      assert.deepEqual(replayOf('/data', delivered, format, 'unchanged'), {
        filename: path.join('/data', '0a.wav'),
        raw: { ...format, channels: 1 },
      });
    });
  }
});
