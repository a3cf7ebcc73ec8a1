import { once } from 'node:events';

/** An engine with a natural voice. It never finishes a text that begins with "Slow". */
const voice = {
  id: 'en_GB-unhurried-medium',
  name: 'Unhurried',
  description: 'A voice that takes its time.',
  age: 'young-adult',
  gender: 'female',
  useCases: ['narration'],
  languages: ['en'],
  pitch: 200,
  isNatural: true,
  quality: 'medium',
  licence: 'MIT',
  sampleRate: 22_050,
};

/** Seconds of a text. No other voice has this length. */
const SECONDS = 0.123;

export const engine = {
  id: 'unhurried',
  voices: [voice],
  prepare: () => Promise.resolve(),
  start: () => Promise.resolve({ speak }),
};

async function* speak({ text }, signal) {
  if (text.startsWith('Slow')) await untilAborted(signal);
  const length = Math.round(SECONDS * voice.sampleRate);
  const samples = Int16Array.from({ length }, (_, at) => Math.round(9000 * Math.sin(at / 10)));
  yield { samples, sampleRate: voice.sampleRate, phonemes: [] };
}

async function untilAborted(signal) {
  if (!signal.aborted) await once(signal, 'abort');
  throw signal.reason;
}
