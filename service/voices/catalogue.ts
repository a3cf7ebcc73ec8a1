import { models, type Voice } from '@herald-speech/client';
import { type EngineVoice } from '../engines/engine.js';
import { engines } from '../engines/engines.js';
import { styleNames, type StyleName } from './styles.js';

/** A voice as a speech request uses it. */
export interface SpeakableVoice {
  voice_id: string;
  engine: string;
  /** The engine's own name of the voice. */
  engineVoice: string;
  languages: readonly string[];
  /** The first is the default. */
  styles: readonly StyleName[];
  /** Semitones between the engine's voice and this one. */
  pitchShift: number;
}

/** Every model identifier of the interface; all of them are answered by the same engines (decisions/0011). */
export const modelNames: readonly string[] = Object.keys(models);

/** The voices of all engines, in the engines' order. */
export const engineVoices: ReadonlyArray<EngineVoice & { engine: string }> = engines.flatMap(
  ({ id: engine, voices }) => voices.map((voice) => ({ ...voice, engine })),
);

/** The preset voices as speech requests use them, by their `voice_id`. */
export const presets: ReadonlyMap<string, SpeakableVoice> = new Map(
  engineVoices.map(({ id, engine, languages }) => [
    id,
    { voice_id: id, engine, engineVoice: id, languages, styles: styleNames, pitchShift: 0 },
  ]),
);

/**
 * The preset voices as the interface shows them (service-api.md, 2.1).
 * @param origin Scheme, host and port that the caller reached the service by: samples are heard from there.
 */
export function presetVoices(origin: string): Voice[] {
  return engineVoices.map((voice) => ({
    voice_id: voice.id,
    name: voice.name,
    description: voice.description,
    age: voice.age,
    gender: voice.gender,
    use_case: voice.useCases[0] ?? 'narration',
    use_cases: [...voice.useCases],
    language: [...voice.languages],
    styles: [...styleNames],
    models: [...modelNames],
    samples: samplesOf(voice, origin),
  }));
}

/** One sample per combination that can be spoken: the list is the authority on them (service-api.md, 2.2). */
function samplesOf({ id, languages }: EngineVoice, origin: string): NonNullable<Voice['samples']> {
  return languages.flatMap((language) =>
    styleNames.flatMap((style) =>
      modelNames
        .filter((model) => models[model]?.languages.includes(language))
        .map((model) => ({
          language,
          style,
          model,
          url: `${origin}/samples/${id}/${language}/${style}/${model}.wav`,
        })),
    ),
  );
}

/** The natural preset voice whose pitch is nearest on a musical scale: it has the least to be bent. */
export function nearestVoice(pitch: number): EngineVoice {
  const [first, ...others] = engineVoices.filter(({ isNatural }) => isNatural);
  if (first === undefined) throw new Error('there is no engine with a natural voice');
  return others.reduce<EngineVoice>(
    (best, voice) => (semitones(voice.pitch, pitch) < semitones(best.pitch, pitch) ? voice : best),
    first,
  );
}

function semitones(from: number, to: number): number {
  return Math.abs(12 * Math.log2(to / from));
}
