import type { CheckedRequest } from '../interface/operation.js';
import { utterance } from '../interface/speech.js';

/**
 * Characters of a writing system (regular expression), and the characters that a voice speaks in a second. Measured with the voices of the
 * local service (docs/decisions/0196-upstreams.md).
 */
const PER_SECOND = [
  [/\p{Script=Han}/gu, 4.5],
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/gu, 9],
  [/\p{Script=Hangul}/gu, 6],
  [/\p{Script=Arabic}/gu, 11.5],
  [/\p{Script=Devanagari}/gu, 15],
] as const;

/** Characters per second of all other writing systems. */
const OTHER = 17;

/** Estimates the seconds of a text at the speed of its request. The measured audio later replaces the estimate in a budget. */
export function estimatedSeconds({ text, voice_settings: settings }: CheckedRequest): number {
  const { speed = 1, duration = 0 } = utterance().shape.voice_settings.parse(settings) ?? {};
  return duration > 0 ? duration : secondsOf(String(text)) / speed;
}

function secondsOf(text: string): number {
  let seconds = 0;
  let others = text.match(/[^]/gu)?.length ?? 0;
  for (const [pattern, rate] of PER_SECOND) {
    const count = text.match(pattern)?.length ?? 0;
    seconds += count / rate;
    others -= count;
  }
  return seconds + others / OTHER;
}
