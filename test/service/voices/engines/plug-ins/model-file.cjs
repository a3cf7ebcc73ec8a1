const { existsSync } = require('node:fs');

/** An engine that needs a model, the file HERALD_TEST_MODEL. */
const voice = {
  id: 'model-file',
  name: 'Model file',
  description: '',
  age: 'elder',
  gender: 'male',
  useCases: [],
  languages: ['en'],
  pitch: 100,
  isNatural: false,
};

async function prepare() {
  if (!existsSync(process.env.HERALD_TEST_MODEL ?? '')) throw new Error('no model file');
}

async function* speak() {
  yield { samples: new Int16Array(8000), sampleRate: 8000, phonemes: [] };
}

exports.engine = { id: 'model-file', voices: [voice], prepare, start: async () => ({ speak }) };
