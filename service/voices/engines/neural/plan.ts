import type { Prosody } from '../engine.js';
import { fitDuration } from '../fit-duration.js';
import { type Edges, edgesOf } from './edges.js';
import { type Pace, secondsOfSentence } from './pace/pace.js';
import type { Spelling } from './spelling/spelling.js';

/** Speeds at which the models speak clearly. Beyond them, the audio is stretched. */
const SPEED = { min: 0.5, max: 2 };

/** A sentence with its planned length. */
export interface PlannedSentence {
  spelling: Spelling;
  /** Silence around the sounds, before the stretch. */
  edges: Edges;
  /** Predicted seconds of the finished audio. */
  seconds: number;
}

/** How the sentences of a request are spoken. */
export interface SentencePlan {
  sentences: PlannedSentence[];
  /** Length of the model's speech relative to the voice's normal speed: 2 is half as fast. */
  scale: number;
  /** Factor by which the audio is stretched afterwards. */
  stretch: number;
  /** Whether each sentence must have exactly its planned length. */
  isExact: boolean;
  /** Predicted seconds of the whole speech. */
  seconds: number;
}

/** Plans the lengths of sentences. With a requested duration, the planned lengths add up to it. */
export async function planSentences(
  spellings: readonly Spelling[],
  pace: Pace,
  prosody: Prosody,
): Promise<SentencePlan> {
  const speed = await fitDuration(prosody, (speed) =>
    Promise.resolve(planAt(spellings, pace, speed).seconds),
  );
  const plan = planAt(spellings, pace, speed);
  if (prosody.duration === 0 || plan.seconds === 0) return plan;
  return exact(plan, prosody.duration / plan.seconds);
}

function planAt(spellings: readonly Spelling[], pace: Pace, speed: number): SentencePlan {
  const spoken = Math.min(SPEED.max, Math.max(SPEED.min, speed));
  const stretch = spoken / speed;
  const sentences = spellings.map((spelling) => {
    const edges = edgesOf(spelling, 1 / spoken);
    const sounds = secondsOfSentence(pace, soundIds(spelling), 1 / spoken);
    return { spelling, edges, seconds: (edges.before + sounds + edges.after) * stretch };
  });
  const seconds = sentences.reduce((sum, sentence) => sum + sentence.seconds, 0);
  return { sentences, scale: 1 / spoken, stretch, isExact: false, seconds };
}

/** Returns the ids of a sentence without the silence of the model before and after its sounds. */
function soundIds({ ids, sounds }: Spelling): number[] {
  const lengthOf = (some: Spelling['sounds']) => some.reduce((sum, sound) => sum + sound.ids, 0);
  const isSound = ({ symbol }: Spelling['sounds'][number]) => symbol.trim() !== '';
  const first = lengthOf(sounds.slice(0, sounds.findIndex(isSound)));
  const last = lengthOf(sounds.slice(0, sounds.findLastIndex(isSound) + 1));
  return ids.slice(first, last);
}

function exact(plan: SentencePlan, factor: number): SentencePlan {
  return {
    ...plan,
    sentences: plan.sentences.map((sentence) => ({ ...sentence, seconds: sentence.seconds * factor })),
    isExact: true,
    seconds: plan.seconds * factor,
  };
}
