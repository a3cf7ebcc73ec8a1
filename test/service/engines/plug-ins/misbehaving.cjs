const { setTimeout: delay } = require('node:timers/promises');

/** An engine whose voices do what their names say. */
const deeds = {
  crash: () => process.exit(1),
  fail: () => {
    throw new Error('inner words');
  },
  // Blocks the thread, as an endless loop does, without load for the machine.
  hang: () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0),
  dawdle: (signal) => delay(60_000, undefined, { signal }),
  speak: () => undefined,
};

const voices = Object.keys(deeds).map((id) => ({
  id,
  name: id,
  description: '',
  age: 'elder',
  gender: 'male',
  useCases: [],
  languages: ['en'],
  pitch: 100,
  isNatural: false,
}));

async function* speak({ voice }, signal) {
  await deeds[voice](signal);
  yield { samples: new Int16Array(8000), sampleRate: 8000, phonemes: [] };
}

exports.engine = {
  id: 'misbehaving',
  voices,
  prepare: () => Promise.resolve(),
  start: () => Promise.resolve({ speak }),
};
