import type { Engine, EnginePiece, SynthesisRequest } from '../engine.js';
import { NothingToSpeakError, VoiceError } from '../engine.js';
import { readsKanji } from '../../../kit/packages.js';
import type { EspeakChild } from '../espeak/espeak-child.js';
import { readJapanese } from '../espeak/japanese/japanese.js';
import { toUsualForm } from '../espeak/text.js';
import { tagOfVoice } from '../tag-of-voice.js';
import { onOneTimeline } from '../pieces.js';
import { VoiceLoudness } from './loudness.js';
import type { SentenceSpeaker } from './process/neural-child.js';
import { defaultPace, type Pace } from './pace/pace.js';
import { type PlanContext, piecesOf, sentenceOf } from './pieces-of-plan.js';
import { type SentencePlan, planSentences } from './plan.js';
import { withRest } from './rest-of-text.js';
import { type ReadPhonemes, type SpelledSentence, spellingsOf } from './spelling/spelling.js';
import type { SpeakerVoice } from './voices.js';

export interface NeuralDependencies {
  /** Returns an installed voice by its `voice_id`. */
  find(id: string): SpeakerVoice | undefined;
  /** The neural process. */
  speaker: SentenceSpeaker;
  /** Its process returns the phonemes of a text. */
  espeak: Pick<EspeakChild, 'phonemes' | 'read' | 'close'>;
}

/** Starts the engine of the natural voices. The processes start with the first text. */
export function startNeural(dependencies: NeuralDependencies): Required<Engine> {
  const { speaker, espeak } = dependencies;
  const unmeasured = new Map<string, VoiceLoudness>();
  const loudnessOf = (voice: string, lufs: number | undefined): VoiceLoudness => {
    if (lufs !== undefined) return new VoiceLoudness(lufs);
    const loudness = unmeasured.get(voice) ?? new VoiceLoudness(undefined);
    unmeasured.set(voice, loudness);
    return loudness;
  };
  return {
    speak: async function* (request, signal): AsyncGenerator<EnginePiece> {
      const model = dependencies.find(request.voice)?.installed.model;
      if (model !== undefined) speaker.load(model);
      const { voice, pace, lufs, plan, sentences } = await planned(dependencies, request, signal);
      signal.throwIfAborted();
      const loudness = loudnessOf(request.voice, lufs);
      const { delivery: prosody, isNext = false } = request;
      const context = { ...voice, pace, prosody, speaker, loudness, isNext };
      yield* onOneTimeline(withRest(sentences, piecesOf(plan, context, signal)));
    },
    predict: async (request, signal) => {
      const { voice, plan } = await planned(dependencies, request, signal);
      warmUp(plan, { ...voice, speaker });
      return plan.seconds;
    },
    close: async () => {
      await Promise.all([speaker.close(), espeak.close()]);
    },
  };
}

/** Loads the model of a voice: a caller who predicts a duration is about to speak. A failure shows when the voice speaks. */
function warmUp(
  { sentences, scale }: SentencePlan,
  context: Pick<PlanContext, 'installed' | 'sid' | 'speaker'>,
) {
  const [shortest] = sentences.toSorted((a, b) => a.seconds - b.seconds);
  if (shortest === undefined) return;
  const sentence = { ...sentenceOf(shortest, scale, context), urgency: 'warm-up' as const };
  void (async () => context.speaker.speak(sentence, new AbortController().signal))().catch(() => undefined);
}

interface Planned {
  voice: Pick<SpeakerVoice, 'installed'> & { sid: number | null };
  pace: Pace;
  /** Loudness before the gain, if it was measured. */
  lufs: number | undefined;
  plan: SentencePlan;
  sentences: readonly SpelledSentence[];
}

/** @throws NothingToSpeakError; VoiceError if the voice was removed; Error if eSpeak cannot read its phonemes */
async function planned(
  { find, espeak }: NeuralDependencies,
  { voice: id, text, isReading = false, language, delivery }: SynthesisRequest,
  signal: AbortSignal,
): Promise<Planned> {
  const voice = find(id);
  if (voice === undefined) throw new VoiceError(`voice "${id}": the natural voice is no longer installed`);
  const { installed, speaker: sid, measurement } = voice;
  const { record, config } = installed;
  const tag = tagOfVoice(language, `${record.language}-${record.region}`);
  const reader = readsKanji() ? (part: string) => espeak.read(part, signal) : undefined;
  const kana = (japanese: string) => readJapanese(toUsualForm(japanese), signal, reader, isReading);
  const read: ReadPhonemes = (name, texts) => espeak.phonemes({ voice: name, texts }, signal);
  const sentences = await spellingsOf(text, tag, config, read, { kana, isReading });
  if (sentences.length === 0) throw new NothingToSpeakError();
  const pace = measurement?.pace ?? defaultPace(installed.config);
  const plan = await planSentences(sentences, pace, delivery);
  const lufs = measurement?.loudness?.[sid ?? 0];
  return { voice: { installed, sid }, pace, lufs, plan, sentences };
}
