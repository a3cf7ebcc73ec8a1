import assert from 'node:assert/strict';
import { measurementsIn } from '../../../../../service/voices/installed/folders.js';
import {
  type Measurement,
  readMeasurement,
  saveMeasurement,
} from '../../../../../service/voices/installed/measurements.js';
import { VoiceLibrary } from '../../../../../service/voices/natural/manage/library.js';
import { Measuring } from '../../../../../service/voices/natural/manage/measuring.js';
import { installStub } from '../../../../support/natural/installed-stub.js';
import { useFolder } from '../../../../support/folder.js';
import { seedMeasurement } from '../catalogue/support.js';
import { isError } from '../support.js';

const [GOOD, BROKEN] = ['de_DE-zither-low', 'de_DE-alphorn-low'];
const work = { signal: new AbortController().signal, onProgress: () => undefined };

describe('a measurement of installed voices', () => {
  const at = useFolder();
  const figuresOf = (name: string): Measurement =>
    readMeasurement(measurementsIn(at('data')), name) ?? assert.fail(`no measurement of ${name}`);
  const library = () =>
    new VoiceLibrary({ voices: at('voices'), data: at('data'), voicesUrl: at('nowhere') }, 0);

  it('goes on with the next voice after one that fails, and then names the failure', async () => {
    const broken = await installStub(at('voices'), { name: BROKEN, fault: 'nan' });
    const good = await installStub(at('voices'), { name: GOOD });
    for (const { model } of [broken, good]) seedMeasurement(at('data'), model);
    const before = figuresOf(GOOD).at;
    const voices = library();
    await assert.rejects(new Measuring(voices, at('data')).repeatAll(voices.list(), work), /NaN/);
    assert.notEqual(figuresOf(GOOD).at, before);
    assert.equal(figuresOf(BROKEN).at, before);
  });

  it('reports the sounds that a voice never learned, also for a voice with a measurement of an earlier version', async () => {
    const { model } = await installStub(at('voices'), { name: GOOD, untrained: ['ʏ'] });
    seedMeasurement(at('data'), model);
    const { untrained: _, ...earlier } = figuresOf(GOOD);
    saveMeasurement(measurementsIn(at('data')), GOOD, earlier);
    await library().run({ kind: 'install', name: GOOD, card: '' }, work);
    assert.equal(figuresOf(GOOD).untrained?.length, 1);
  });

  it('is refused for a voice that is not installed, with the fix', () =>
    assert.rejects(
      library().run({ kind: 'measure', name: GOOD }, work),
      isError('not-found', /Install the voice again/),
    ));
});
