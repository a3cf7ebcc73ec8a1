import assert from 'node:assert/strict';
import { longVoiceSettings as voiceSettings } from '@herald-speech/client';
import * as fc from 'fast-check';
import { registrationOf } from '../../built.js';
import {
  formatSettings,
  parseSettings,
  jsonProblem,
  type Ranges,
  settingText,
  withSetting,
} from '../../../../../nodes/editor/form/rules/settings.js';

const ranges: Ranges = voiceSettings;

describe('voice settings check', () => {
  it('knows the names and ranges of the client', () => {
    assert.deepEqual(registrationOf('text-to-speech').registration.voiceSettings, voiceSettings);
  });

  it('treats blank text as no settings, in both directions', () => {
    assert.deepEqual(parseSettings('  '), {});
    assert.equal(formatSettings({}), '');
  });

  it('restores settings from their text', () => {
    const anySettings = fc.dictionary(fc.constantFrom(...Object.keys(voiceSettings)), fc.integer());
    fc.assert(
      fc.property(anySettings, (settings) => {
        assert.deepEqual(parseSettings(formatSettings(settings)), { ...settings });
      }),
    );
  });

  it('keeps a typed setting as the user sees it, also one that is no number or out of its range', () => {
    const typed: [text: string, saved: unknown][] = [
      ['1.5', 1.5],
      ['1,5', 1.5],
      [' 25 ', 25],
      ['-', '-'],
      ['fast', 'fast'],
      ['1e999', '1e999'],
    ];
    for (const [text, saved] of typed) {
      const { speed } = withSetting({ similarity: 1 }, 'speed', text);
      assert.equal(speed, saved, text);
      assert.equal(settingText(speed), text.trim().replace(',', '.'));
    }
    assert.deepEqual(withSetting({ similarity: 1, speed: 2 }, 'speed', ' '), { similarity: 1 });
    assert.deepEqual([undefined, null, [1]].map(settingText), ['', 'null', '[1]']);
  });

  it('has quotes around a saved text that would count as a number or as blank', () => {
    assert.deepEqual(['1.2', '1,2', '', ' fast'].map(settingText), ['"1.2"', '"1,2"', '""', '" fast"']);
  });

  it('accepts the bounds of each range and refuses values beyond', () => {
    for (const [name, { min, max }] of Object.entries(voiceSettings)) {
      const problemOf = (value: unknown) => jsonProblem(JSON.stringify({ [name]: value }), ranges)?.key;
      assert.deepEqual([min, max].map(problemOf), [undefined, undefined], name);
      for (const wrong of [min - 0.1, max + 0.1, '1', null]) {
        assert.equal(problemOf(wrong), 'settings.out-of-range', name);
      }
    }
  });

  it('refuses a text that is not an object, and an unknown setting', () => {
    for (const text of ['{', '[]', '1', 'null', '"speed"']) {
      assert.equal(jsonProblem(text, ranges)?.key, 'settings.not-an-object', text);
    }
    assert.deepEqual(jsonProblem('{"sped": 1}', ranges), {
      key: 'settings.unknown',
      values: { name: 'sped' },
    });
  });

  it('removes HTML from the message about an unknown setting', () => {
    const problem = jsonProblem('{"<img src=x onerror=alert(1)>": 1}', ranges);
    assert.equal(problem?.values?.name, 'img src=x onerror=alert(1)');
  });

  it('accepts an environment variable', () => {
    assert.equal(jsonProblem('${SETTINGS}', ranges), undefined);
  });
});
