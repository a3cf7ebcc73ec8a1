import type { InstalledVoice } from '../../installed/installed-voice.js';
import { joinedPair, type SentenceLevel, startLevel } from '../../../kit/audio/level.js';
import { toInt16 } from '../../../kit/audio/samples.js';
import type { Phoneme, Prosody, EnginePiece } from '../engine.js';
import { shiftPhonemes } from '../pieces.js';
import type { AudioPart } from './process/audio-parts.js';
import { streamed } from '../../../kit/streamed.js';
import { EdgeCutter, endedAt, placed } from './edges.js';
import type { VoiceLoudness } from './loudness.js';
import type { NeuralSpoken } from './process/messages.js';
import type { OnPart, Sentence, SentenceSpeaker } from './process/neural-child.js';
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
  /** Whether the caller hears earlier audio of the text meanwhile. */
  isNext: boolean;
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
): AsyncGenerator<EnginePiece> {
  const ended = new AbortController();
  const generate = generator(plan, context, AbortSignal.any([signal, ended.signal]));
  const lengthOf = lengths(plan, context.installed.config.sampleRate);
  let next = generate(plan.sentences[0]);
  try {
    for (const [index, sentence] of plan.sentences.entries()) {
      let place = 0;
      let finisher: SentenceFinisher | undefined;
      for await (const part of next) {
        finisher ??= new SentenceFinisher(part, sentence, (samples) => lengthOf(sentence, samples), context);
        place += part.samples.length;
        if (place === part.length) next = generate(plan.sentences[index + 1]);
        const piece = finisher.add(part);
        if (piece !== undefined) yield piece;
      }
    }
  } finally {
    ended.abort();
  }
}

/** Finishes the parts of a sentence in order. The first part decides on its times. */
class SentenceFinisher {
  readonly #cutter: EdgeCutter;
  readonly #isWhole: boolean;
  #level: SentenceLevel | undefined;
  /** The phonemes that no piece has yet. */
  #phonemes: Phoneme[] | undefined;
  #read = 0;
  /** Samples of the finished pieces. */
  #place = 0;

  constructor(
    first: AudioPart,
    private readonly sentence: PlannedSentence,
    private readonly lengthOf: (samples: number) => number,
    private readonly context: PlanContext,
  ) {
    this.#cutter = new EdgeCutter(sentence.edges, context.installed.config.sampleRate);
    this.#isWhole = first.samples.length === first.length;
  }

  /** Returns the next piece, undefined while the part has only silence or waits in the limiter. */
  add(part: AudioPart): EnginePiece | undefined {
    const { config } = this.context.installed;
    this.#read += part.samples.length;
    const isLast = this.#read === part.length;
    const spoken = this.#cutter.add(part.samples, isLast);
    if (spoken.length === 0 && !isLast) return undefined;
    const unlimited = this.#isWhole
      ? shaped(spoken, { config, prosody: this.context.prosody, length: this.lengthOf(spoken.length) })
      : spoken;
    this.#phonemes ??= this.#placed(part, unlimited.length / spoken.length);
    const audio = this.#levelled(unlimited, isLast);
    return audio.length === 0 ? undefined : this.#piece(audio, this.#phonemes, isLast);
  }

  #placed({ samples, durations, length }: AudioPart, factor: number): Phoneme[] {
    const { pace, installed } = this.context;
    const { config } = installed;
    const times = timesOf(samples, durations, { config, spelling: this.sentence.spelling, pace, length });
    return placed(times, this.#cutter.shift / config.sampleRate, factor);
  }

  #levelled(audio: Float32Array, isLast: boolean): Float32Array {
    const { loudness, installed } = this.context;
    const { sampleRate } = installed.config;
    this.#level ??= startLevel(sampleRate, loudness.lufs(audio, sampleRate));
    const early = this.#level.push(audio);
    return isLast ? joinedPair(early, this.#level.end()) : early;
  }

  #piece(audio: Float32Array, phonemes: readonly Phoneme[], isLast: boolean): EnginePiece {
    const { sampleRate } = this.context.installed.config;
    const start = this.#place;
    const end = start + audio.length;
    const [here, later] = isLast
      ? [endedAt(phonemes, end / sampleRate), []]
      : split(phonemes, end / sampleRate);
    this.#phonemes = later;
    this.#place = end;
    return {
      samples: toInt16(audio),
      sampleRate,
      phonemes: shiftPhonemes(here, -start / sampleRate),
      isContinued: !isLast,
    };
  }
}

/** Splits phonemes into those that start before a time, in seconds, and the rest, which has the end of the last silence. */
function split(phonemes: readonly Phoneme[], time: number): [before: Phoneme[], after: Phoneme[]] {
  const before = phonemes.filter(({ start }) => start < time);
  const after = phonemes.slice(before.length);
  const last = before.at(-1);
  if (after.length > 0 || last === undefined || last.symbol !== '') return [before, after];
  const end = last.start + last.duration;
  last.duration = time - last.start;
  return [before, [{ symbol: '', start: time, duration: Math.max(0, end - time) }]];
}

/** Returns the input of the neural process for a sentence. */
export function sentenceOf(
  { spelling: { ids } }: PlannedSentence,
  scale: number,
  { installed: { model, config }, sid }: Pick<PlanContext, 'installed' | 'sid'>,
): Omit<Sentence, 'urgency'> {
  const { noiseScale, lengthScale, noiseW, sampleRate } = config;
  return { model, ids, scales: [noiseScale, lengthScale * scale, noiseW], speaker: sid, sampleRate };
}

/** Returns a function that generates the audio of a sentence: in parts if each can be finished by itself, else whole. */
function generator(plan: SentencePlan, context: PlanContext, signal: AbortSignal) {
  const { installed, speaker, prosody, loudness } = context;
  const { sampleRate } = installed.config;
  let scale = plan.scale;
  const urgencyOf = (sentence: PlannedSentence) =>
    context.isNext || sentence !== plan.sentences[0] ? 'next' : 'start';
  const say = (sentence: PlannedSentence, onPart?: OnPart) =>
    speaker.speak({ ...sentenceOf(sentence, scale, context), urgency: urgencyOf(sentence) }, signal, onPart);
  const whole = async (sentence: PlannedSentence): Promise<NeuralSpoken> => {
    const spoken = await say(sentence);
    // The model speaks without the later stretch.
    const { length } = new EdgeCutter(sentence.edges, sampleRate).add(spoken.samples, true);
    const factor = (sentence.seconds / plan.stretch) * (sampleRate / length);
    const corrected = Math.min(SCALE.max, Math.max(SCALE.min, scale * factor));
    if (!plan.isExact || Math.abs(factor - 1) <= TOLERANCE || corrected === scale) return spoken;
    // The pace of the voice was wrong. The corrected scale also applies to the following sentences.
    scale = corrected;
    return say(sentence);
  };
  const inParts = !plan.isExact && isPlain(prosody, plan.stretch) && loudness.isKnown;
  return (sentence: PlannedSentence | undefined): AsyncIterable<AudioPart> => {
    return streamed<AudioPart>([], async (onPart) => {
      if (sentence === undefined) return;
      if (inParts) return void (await say(sentence, onPart));
      const { samples, durations } = await whole(sentence);
      onPart({ samples, durations, length: samples.length });
    });
  };
}

/** Returns a function that determines the samples of each sentence, in order. */
function lengths({ isExact, stretch }: SentencePlan, sampleRate: number) {
  let end = 0;
  return ({ seconds }: PlannedSentence, generated: number): number => {
    if (!isExact) return Math.max(1, Math.round(generated * stretch));
    // Rounding the times instead of the lengths keeps the total length exact.
    const start = Math.round(end * sampleRate);
    end += seconds;
    return Math.max(1, Math.round(end * sampleRate) - start);
  };
}
