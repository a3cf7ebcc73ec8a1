import assert from 'node:assert/strict';
import { naturalList } from '@herald-speech/browser';
import {
  isFound,
  measured,
  progressOf,
  traitsOf,
} from '../../../../../service/console/page/natural/words.js';

const thorsten = {
  name: 'de_DE-thorsten-medium',
  title: 'Thorsten',
  language: 'de',
  region: 'DE',
  quality: 'medium',
  speakers: 1,
  bytes: 63_206_502,
  gender: 'male',
  licence: 'CC0',
};

describe('the natural voices of the console', () => {
  const read = (voice: object) => {
    const [first] = naturalList({ voices: [voice] }).voices;
    assert.ok(first);
    return first;
  };

  it('are described by language, region, quality and gender, or by the number of their speakers', () => {
    assert.equal(traitsOf(read(thorsten)), 'German (Germany) · Medium quality · Male');
    const several = { ...thorsten, region: '', gender: null, speakers: 8 };
    assert.equal(traitsOf(read(several)), 'German · Medium quality · 8 speakers');
  });

  it('are found by words of title, name, language, quality, gender and licence', () => {
    for (const words of ['thor', 'germ med', 'MALE cc0', 'de_de thorsten']) {
      assert.ok(isFound(read(thorsten), words), words);
    }
    assert.equal(isFound(read(thorsten), 'english'), false);
  });

  it('have a measured speed in comparison with real time, and a mark if they are too slow', () => {
    const report = (figures: object) => {
      const { installed } = read({ ...thorsten, installed: { ...figures, voiceIds: [] } });
      return installed && measured(installed);
    };
    const memoryBytes = 181_000_000;
    assert.equal(
      report({ realTimeFactor: 0.3125, isLive: true, memoryBytes }),
      '3.2 times faster than real time · 181 MB of memory',
    );
    assert.equal(
      report({ realTimeFactor: 0.8, isLive: false, memoryBytes: null }),
      '1.3 times faster than real time · not for live announcements',
    );
    assert.equal(
      report({ realTimeFactor: 2, isLive: false, memoryBytes: null }),
      '2.0 times slower than real time · not for live announcements',
    );
    assert.equal(report({ realTimeFactor: null, isLive: null }), 'Speed not measured');
  });

  it('show each phase of an installation in words', () => {
    const phases = ['card', 'download', 'check', 'measure'];
    const job = { bytes: 12_400_000, total: 63_206_502, error: '', kind: '', isDone: false };
    assert.deepEqual(
      phases.map((phase) => progressOf({ ...job, phase })),
      ['Waiting for the download', 'Downloading 12 MB of 63 MB', 'Checking the files', 'Measuring the speed'],
    );
  });

  it('survive a reply with missing and wrong values', () => {
    const replies = [
      undefined,
      null,
      'x',
      { voices: [null, 7, { installed: 'x', job: [], speakers: 'many' }] },
    ];
    for (const reply of replies) {
      for (const voice of naturalList(reply).voices) assert.equal(isFound(voice, 'x'), false);
    }
  });
});
