const { execFileSync } = require('node:child_process');
const { setTimeout: delay } = require('node:timers/promises');

const piece = { samples: new Int16Array(8000), sampleRate: 8000, phonemes: [] };

/** The behaviour of each voice before its piece of speech. A returned object replaces properties of the piece. */
const deeds = {
  crash: () => process.exit(1),
  fail: () => {
    throw new Error('inner words');
  },
  'time out': () => {
    throw Object.assign(new Error('too slow'), { name: 'SpeechTimeoutError' });
  },
  // Blocks the thread, as an endless loop does, without load for the machine.
  hang: () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0),
  // Blocks the thread in native code.
  block: () => void execFileSync('sleep', ['60']),
  dawdle: (signal) => delay(60_000, undefined, { signal }),
  'omit the sample rate': () => ({ sampleRate: undefined }),
  'omit the phonemes': () => ({ phonemes: undefined }),
  speak: () => undefined,
};

const voices = Object.keys(deeds).map((name) => ({
  id: name.replaceAll(' ', '-'),
  name,
  description: '',
  age: 'elder',
  gender: 'male',
  useCases: [],
  languages: ['en'],
  pitch: 100,
  isNatural: false,
}));

async function* speak({ voice }, signal) {
  yield { ...piece, ...(await deeds[voice.replaceAll('-', ' ')](signal)) };
}

exports.engine = {
  id: 'misbehaving',
  voices,
  prepare: () => Promise.resolve(),
  start: () => Promise.resolve({ speak }),
};
