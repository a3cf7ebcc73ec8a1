/** A voice engine as somebody else may write it: it clones, by repeating what it heard once for each word. */
const voice = {
  id: 'mockingbird',
  name: 'Mockingbird',
  description: 'A bird that repeats what it hears.',
  age: 'young-adult',
  gender: 'female',
  useCases: ['narration'],
  languages: ['en', 'ko'],
  pitch: 440,
  isNatural: false,
};

export const engine = {
  id: 'mockingbird',
  voices: [voice],
  cloning: { languages: ['en', 'ko'] },
  prepare: () => Promise.resolve('prepared once'),
  start: (prepared) => {
    if (prepared !== 'prepared once') throw new Error('the engine was not prepared');
    return Promise.resolve({ speak });
  },
};

const whistle = {
  samples: Float32Array.from({ length: 8000 }, (_, at) => Math.sin(at / 3)),
  sampleRate: 8000,
};

async function* speak({ text, reference = whistle }) {
  const samples = Int16Array.from(reference.samples, (sample) => Math.round(sample * 32_767));
  let start = 0;
  for (const word of text.split(' ')) {
    const duration = samples.length / reference.sampleRate;
    yield { samples, sampleRate: reference.sampleRate, phonemes: [{ symbol: word, start, duration }] };
    start += duration;
  }
}
