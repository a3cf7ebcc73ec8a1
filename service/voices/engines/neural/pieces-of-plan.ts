import type { InstalledVoice } from '../../installed/installed-voice.js';
import { joined, type SentenceLevel, startLevel } from '../../../kit/audio/level.js';
import { toInt16 } from '../../../kit/audio/samples.js';
import type { Phoneme, Prosody, SpeechPiece } from '../engine.js';
import { shiftPhonemes } from '../pieces.js';
import { type AudioPart, audioOf } from './audio-parts.js';
import type { VoiceLoudness } from './loudness.js';
import type { NeuralSpoken } from './messages.js';
import type { OnPart, SentenceSpeaker } from './neural-child.js';
import type { Pace } from './pace/pace.js';
import type { SentencePlan, PlannedSentence } from './plan.js';
import { isPlain, shaped, timesOf } from './sentence-audio.js';

export interface PlanContext {
  installed: InstalledVoice;
  /** Id of the speaker, null for a voice with one speaker. */
  sid: number | null;
  pace: Pace;
  prosody: Prosody;
  speaker: SentenceSpeaker;
  loudness: VoiceLoudness;
}

/** Deviation of a sentence from its requested length that stretching hides. */
const TOLERANCE = 0.15;
/** Length scales that the models speak clearly, relative to the voice's normal speed. */
const SCALE = { min: 0.4, max: 2.5 };

/**
 * Speaks the sentences of a plan. A sentence whose audio needs no change gives several pieces, as soon as the model has computed
 * them. Generates one sentence ahead, so that the model computes while the caller processes a piece.
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
      let place = 0;
      let finish: Finish | undefined;
      for await (const part of next) {
        finish ??= finisher(part, sentence, lengthOf(sentence, part.length), context);
        place += part.samples.length;
        if (place === part.length) next = generate(plan.sentences[index + 1]);
        const piece = finish(part);
        if (piece.samples.length > 0) yield piece;
      }
    }
  } finally {
    ended.abort();
  }
}

type Finish = (part: AudioPart) => SpeechPiece;

/** Returns a function that finishes the parts of a sentence in order. The first part decides on its times. */
function finisher(
  first: AudioPart,
  { spelling }: PlannedSentence,
  { pause, length }: { pause: number; length: number },
  { installed: { config }, pace, prosody, loudness }: PlanContext,
): Finish {
  const { sampleRate } = config;
  const facts = { config, spelling, pace, prosody, length };
  const isWhole = first.samples.length === first.length;
  const finished = ({ samples }: AudioPart) => (isWhole ? shaped(samples, facts) : samples);
  let level: SentenceLevel | undefined;
  let phonemes: Phoneme[] | undefined;
  let missing = first.length;
  let place = 0;
  return (part) => {
    const unlimited = finished(part);
    phonemes ??= timesOf(unlimited, part.durations, facts);
    level ??= startLevel(sampleRate, loudness.lufs(unlimited, sampleRate));
    missing -= part.samples.length;
    const early = level.push(unlimited);
    const audio = missing > 0 ? early : joined(early, level.end());
    const end = place + audio.length;
    // The last part has the phonemes up to the end, whatever the rounding.
    const [here, later] = split(phonemes, end === length ? Infinity : end / sampleRate);
    phonemes = later;
    const piece = {
      samples: toInt16(audio),
      sampleRate,
      phonemes: shiftPhonemes(here, -place / sampleRate),
      isContinued: end < length,
    };
    const silence = place === 0 ? pause : 0;
    place = end;
    return afterPause(piece, silence);
  };
}

/** Splits phonemes into those that start before a time, in seconds, and the rest. */
function split(phonemes: readonly Phoneme[], time: number): [before: Phoneme[], after: Phoneme[]] {
  const count = phonemes.findIndex(({ start }) => start >= time);
  return count < 0 ? [[...phonemes], []] : [phonemes.slice(0, count), phonemes.slice(count)];
}

/** Returns a function that generates the audio of a sentence: in parts if each can be finished by itself, else whole. */
function generator(plan: SentencePlan, context: PlanContext, signal: AbortSignal) {
  const { installed, sid, speaker, prosody, loudness } = context;
  const { noiseScale, lengthScale, noiseW, sampleRate } = installed.config;
  let scale = plan.scale;
  const say = ({ spelling: { ids } }: PlannedSentence, onPart?: OnPart) =>
    speaker.speak(
      {
        model: installed.model,
        ids,
        scales: [noiseScale, lengthScale * scale, noiseW],
        speaker: sid,
        sampleRate,
      },
      signal,
      onPart,
    );
  const whole = async (sentence: PlannedSentence): Promise<NeuralSpoken> => {
    const spoken = await say(sentence);
    // The model speaks without the later stretch.
    const factor = (sentence.seconds / plan.stretch) * (sampleRate / spoken.samples.length);
    const corrected = Math.min(SCALE.max, Math.max(SCALE.min, scale * factor));
    if (!plan.isExact || Math.abs(factor - 1) <= TOLERANCE || corrected === scale) return spoken;
    // The pace of the voice was wrong. The corrected scale also applies to the following sentences.
    scale = corrected;
    return say(sentence);
  };
  const inParts = !plan.isExact && isPlain(prosody, plan.stretch) && loudness.isKnown;
  return (sentence: PlannedSentence | undefined): AsyncIterable<AudioPart> => {
    if (sentence === undefined) return audioOf(() => Promise.resolve());
    if (inParts) return audioOf((onPart) => say(sentence, onPart));
    return audioOf(async (onPart) => {
      const { samples, durations } = await whole(sentence);
      onPart({ samples, durations, length: samples.length });
    });
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
function afterPause(piece: SpeechPiece, pause: number): SpeechPiece {
  if (pause === 0) return piece;
  const { samples, sampleRate, phonemes } = piece;
  const withSilence = new Int16Array(pause + samples.length);
  withSilence.set(samples, pause);
  const seconds = pause / sampleRate;
  const silence = { symbol: '', start: 0, duration: seconds };
  return { ...piece, samples: withSilence, phonemes: [silence, ...shiftPhonemes(phonemes, seconds)] };
}
