import assert from 'node:assert/strict';
import { voiceSettings } from '@herald-speech/client';
import * as fc from 'fast-check';
import {
  formatSettings,
  parseSettings,
  rangesIn,
  settingsProblem,
} from '../../../../nodes/editor/form/settings.js';

const ranges = rangesIn(voiceSettings);

describe('voice settings in the editor', () => {
  it('have the names and ranges of the client', () => {
    assert.deepEqual(ranges, voiceSettings);
  });

  it('are blank text if no setting is set', () => {
    assert.deepEqual(parseSettings('  '), {});
    assert.equal(formatSettings({}), '');
  });

  it('survive a round trip through text', () => {
    const anySettings = fc.dictionary(fc.constantFrom(...Object.keys(voiceSettings)), fc.integer());
    fc.assert(
      fc.property(anySettings, (settings) => {
        assert.deepEqual(parseSettings(formatSettings(settings)), { ...settings });
      }),
    );
  });

  it('are valid at the bounds of each range and invalid beyond', () => {
    for (const [name, { min, max }] of Object.entries(voiceSettings)) {
      const problemOf = (value: unknown) => settingsProblem(JSON.stringify({ [name]: value }), ranges)?.key;
      assert.deepEqual([min, max].map(problemOf), [undefined, undefined], name);
      for (const wrong of [min - 0.1, max + 0.1, '1', null]) {
        assert.equal(problemOf(wrong), 'settings.out-of-range', name);
      }
    }
  });

  it('are invalid if they are not an object or name an unknown setting', () => {
    for (const text of ['{', '[]', '1', 'null', '"speed"']) {
      assert.equal(settingsProblem(text, ranges)?.key, 'settings.not-an-object', text);
    }
    assert.deepEqual(settingsProblem('{"sped": 1}', ranges), {
      key: 'settings.unknown',
      values: { name: 'sped' },
    });
  });

  it('cannot put HTML into a message of the editor', () => {
    const problem = settingsProblem('{"<img src=x onerror=alert(1)>": 1}', ranges);
    assert.equal(problem?.values?.name, 'img src=x onerror=alert(1)');
  });

  it('may be an environment variable', () => {
    assert.equal(settingsProblem('${SETTINGS}', ranges), undefined);
  });
});
