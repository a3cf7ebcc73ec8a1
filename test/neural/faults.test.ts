import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { idsHeardIn } from '../support/natural/stub-voice.js';
import type { Fault } from '../support/natural/stub-faults.js';
import { NeuralProcess, StubFolder, TONES } from './neural-process.js';

const INCOMPLETE =
  'the file is not a complete ONNX model. Check it with "herald-service voices verify", or remove the voice and install it again';
const INPUTS =
  'Expected the inputs input, input_lengths, scales and, for several speakers, sid of a Piper voice';

/** The message for each fault after the name of the file. */
const MESSAGES: Record<Exclude<Fault, 'hang' | 'zeros'>, string> = {
  truncated: INCOMPLETE,
  garbage: INCOMPLETE,
  empty: INCOMPLETE,
  html: 'the file is a web page, not a model. Remove the voice and install it again',
  opset:
    'the model needs a version of the ONNX operators that the runtime does not have. Use a model of a Piper voice, or update @herald-speech/neural',
  operator:
    'the model needs the operator "HeraldMissing" that the runtime does not have. Use a model of a Piper voice, or update @herald-speech/neural',
  'no-scales': `the model has no input "scales". ${INPUTS}`,
  'float-ids': `the input "input" has the type float32 instead of int64. ${INPUTS}`,
  'extra-input': `the model has the unknown input "style". ${INPUTS}`,
  'whole-numbers': 'the first output has the type int64 instead of float32. Use a Piper voice',
  nan: 'the model returned samples that are not numbers (NaN). Use another voice',
  infinite: 'the model returned samples that are not numbers (NaN). Use another voice',
  long: 'the model returned 600 s of audio for a sentence, but at most 120 s are allowed. Use another voice or a higher speed',
  'silent-length': 'the model returned no audio for the sentence. Use another voice',
  memory:
    'the model exceeds the memory limit of 1000 MB. Use shorter sentences or a voice of lower quality, or raise the limit',
};

describe('a faulty model', () => {
  const voices = new StubFolder();
  let neural: NeuralProcess;
  let faultless: string;
  before(async () => {
    await voices.open();
    neural = new NeuralProcess();
    faultless = await voices.write();
  });
  after(async () => {
    await neural.end();
    await voices.close();
  });

  const speaks = async () => {
    const { samples } = await neural.speak(faultless);
    assert.deepEqual(idsHeardIn(samples, 22_050), TONES);
  };

  for (const [fault, message] of Object.entries(MESSAGES) as [Fault, string][]) {
    it(`fails with a clear message, and the next request works: ${fault}`, async () => {
      const model = await voices.write({ name: `de_DE-${fault}-medium`, fault });
      assert.equal(await neural.fail(model), `de_DE-${fault}-medium.onnx: ${message}`);
      await speaks();
    });
  }

  it('fails for an id that the model does not know', async () => {
    assert.match(
      await neural.fail(faultless, { ids: [1, 0, 900, 0, 2] }),
      /^de_DE-stub-medium\.onnx: the model failed: .*idx=900 must be within the inclusive range/,
    );
    await speaks();
  });

  it('fails for a missing file, and for a folder in its place', async () => {
    assert.equal(
      await neural.fail(voices.place('missing.onnx')),
      'missing.onnx: the file is missing. Install the voice again',
    );
    await mkdir(voices.place('folder.onnx'));
    assert.equal(
      await neural.fail(voices.place('folder.onnx')),
      'folder.onnx: the file cannot be read (EISDIR). Install the voice again',
    );
    await speaks();
  });

  it('prints nothing', () => {
    assert.equal(neural.printed, '');
  });
});
