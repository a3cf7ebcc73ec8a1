import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * An engine with a natural voice. It never finishes a text that begins with "Slow", and waits 0.3 s before "Late". A text that
 * begins with "Long" is 20 s long, and "Endless" is 500 s long: more than the buffers of a connection.
 */
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
const LONG_SECONDS = 20;
const ENDLESS_PIECES = 25;
const LATE_MS = 300;

export const engine = {
  id: 'unhurried',
  voices: [voice],
  prepare: () => Promise.resolve(),
  start: () => Promise.resolve({ speak }),
};

async function* speak({ text }, signal) {
  if (text.startsWith('Slow')) await untilAborted(signal);
  if (text.startsWith('Late')) await delay(LATE_MS, undefined, { signal });
  const isEndless = text.startsWith('Endless');
  const seconds = isEndless || text.startsWith('Long') ? LONG_SECONDS : SECONDS;
  const samples = tone(seconds * voice.sampleRate);
  for (let count = isEndless ? ENDLESS_PIECES : 1; count > 0; count -= 1)
    yield { samples, sampleRate: voice.sampleRate, phonemes: [] };
}

const tone = (length) =>
  Int16Array.from({ length: Math.round(length) }, (_, at) => Math.round(9000 * Math.sin(at / 10)));

async function untilAborted(signal) {
  if (!signal.aborted) await once(signal, 'abort');
  throw signal.reason;
}
