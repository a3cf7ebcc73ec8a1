import assert from 'node:assert/strict';
import { type InferenceSession, Tensor } from 'onnxruntime-common';
import { openVoiceNetwork } from '../../neural/network.js';
import { modelOf } from '../support/natural/stub-voice.js';

describe('a voice whose decoder runs in windows', () => {
  it('leaves no part in the memory if the memory has no place for its decoder', async () => {
    let sessions = 0;
    const session: InferenceSession = {
      inputNames: [],
      outputNames: [],
      inputMetadata: [],
      outputMetadata: [],
      run: () => Promise.resolve({}),
      release: async () => void (sessions -= 1),
      startProfiling: () => undefined,
      endProfiling: () => undefined,
    };
    const full = new Error('no memory');
    const create = async () => {
      if (sessions > 0) throw full;
      sessions += 1;
      return session;
    };
    const bytes = modelOf({ name: 'de_DE-stub-medium', decoder: 'windows' });
    const runtime = { kind: 'web', Tensor, load: () => Promise.reject(full) } as const;
    await assert.rejects(openVoiceNetwork('voice.onnx', bytes, create, runtime), full);
    assert.equal(sessions, 0);
  });
});
