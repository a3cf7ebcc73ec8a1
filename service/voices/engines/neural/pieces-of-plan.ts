import type { InstalledVoice } from '../../installed/installed-voice.js';
import type { Prosody, SpeechPiece } from '../engine.js';
import { shiftPhonemes } from '../pieces.js';
import type { NeuralSpoken } from './messages.js';
import type { SentenceSpeaker } from './neural-child.js';
import type { Pace } from './pace/pace.js';
import type { SentencePlan, PlannedSentence } from './plan.js';
import { finished } from './sentence-audio.js';

export interface PlanContext {
  installed: InstalledVoice;
  /** Id of the speaker, null for a voice with one speaker. */
  sid: number | null;
  pace: Pace;
  prosody: Prosody;
  speaker: SentenceSpeaker;
}

/** Deviation of a sentence from its requested length that stretching hides. */
const TOLERANCE = 0.15;
/** Length scales that the models speak clearly, relative to the voice's normal speed. */
const SCALE = { min: 0.4, max: 2.5 };

/**
 * Speaks the sentences of a plan. Generates one sentence ahead, so that the model computes while the caller processes a
 * piece.
 */
export async function* piecesOf(
  plan: SentencePlan,
  context: PlanContext,
  signal: AbortSignal,
): AsyncGenerator<SpeechPiece> {
  const ended = new AbortController();
  const generate = generator(plan, context, AbortSignal.any([signal, ended.signal]));
  const lengthOf = lengths(plan, context.installed.config.sampleRate);
  let next = generate(plan.sentences[0]);
  try {
    for (const [index, sentence] of plan.sentences.entries()) {
      const spoken = await next;
      if (spoken === undefined) return;
      next = generate(plan.sentences[index + 1]);
      next.catch(() => undefined); // The next round reports the failure.
      const { pause, length } = lengthOf(sentence, spoken.samples.length);
      const facts = { ...context, config: context.installed.config, spelling: sentence.spelling, length };
      yield afterPause(finished(spoken, facts), pause);
    }
  } finally {
    ended.abort();
  }
}

/** Returns a function that generates the audio of a sentence. */
function generator(plan: SentencePlan, { installed, sid, speaker }: PlanContext, signal: AbortSignal) {
  const { noiseScale, lengthScale, noiseW, sampleRate } = installed.config;
  let scale = plan.scale;
  const say = ({ spelling: { ids } }: PlannedSentence) =>
    speaker.speak(
      {
        model: installed.model,
        ids,
        scales: [noiseScale, lengthScale * scale, noiseW],
        speaker: sid,
        sampleRate,
      },
      signal,
    );
  return async (sentence: PlannedSentence | undefined): Promise<NeuralSpoken | undefined> => {
    if (sentence === undefined) return undefined;
    const spoken = await say(sentence);
    // The model speaks without the later stretch.
    const factor = (sentence.seconds / plan.stretch) * (sampleRate / spoken.samples.length);
    const corrected = Math.min(SCALE.max, Math.max(SCALE.min, scale * factor));
    if (!plan.isExact || Math.abs(factor - 1) <= TOLERANCE || corrected === scale) return spoken;
    // The pace of the voice was wrong. The corrected scale also applies to the following sentences.
    scale = corrected;
    return say(sentence);
  };
}

/** Returns a function that determines the samples of each sentence and of the pause before it, in order. */
function lengths({ isExact, stretch }: SentencePlan, sampleRate: number) {
  let end = 0;
  return ({ pause, seconds }: PlannedSentence, generated: number): { pause: number; length: number } => {
    if (!isExact) {
      return { pause: Math.round(pause * sampleRate), length: Math.max(1, Math.round(generated * stretch)) };
    }
    // Rounding the times instead of the lengths keeps the total length exact.
    const [before, from, to] = [end, end + pause, end + pause + seconds].map((time) =>
      Math.round(time * sampleRate),
    );
    end += pause + seconds;
    return { pause: (from ?? 0) - (before ?? 0), length: Math.max(1, (to ?? 0) - (from ?? 0)) };
  };
}

/** @param pause samples of silence */
function afterPause({ samples, sampleRate, phonemes }: SpeechPiece, pause: number): SpeechPiece {
  if (pause === 0) return { samples, sampleRate, phonemes };
  const withSilence = new Int16Array(pause + samples.length);
  withSilence.set(samples, pause);
  const seconds = pause / sampleRate;
  const silence = { symbol: '', start: 0, duration: seconds };
  return { samples: withSilence, sampleRate, phonemes: [silence, ...shiftPhonemes(phonemes, seconds)] };
}
