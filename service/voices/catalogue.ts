import { models, type Voice } from '@herald-speech/client';
import { type EngineVoice } from '../engines/engine.js';
import { engines } from '../engines/engines.js';
import type { Order } from './page.js';
import { styleNames, type StyleName } from './styles.js';

/** A voice as a speech request uses it. */
export interface SpeakableVoice {
  voice_id: string;
  name: string;
  engine: string;
  /** The engine's own name of the voice. */
  engineVoice: string;
  languages: readonly string[];
  /** The first is the default. */
  styles: readonly StyleName[];
  /** Semitones between the engine's voice and this one. */
  pitchShift: number;
  /** Liveliness of the melody relative to the engine's voice. */
  pitchVariance: number;
  /** Speed relative to the engine's voice. */
  rate: number;
}

/** A voice of an engine, and which engine that is. */
export type CatalogueVoice = EngineVoice & { engine: string };

/** The model identifiers of the interface; all of them are answered by the same engines (decisions/0011). */
const modelNames: readonly string[] = Object.keys(models);

/** The models that have one of these languages, the default one first where it does. */
export function modelsFor(languages: readonly string[]): string[] {
  return modelNames.filter((model) => languages.some((code) => models[model]?.languages.includes(code)));
}

/** The voices of all engines, in the engines' order. */
export const engineVoices: readonly CatalogueVoice[] = engines.flatMap(({ id: engine, voices }) =>
  voices.map((voice) => ({ ...voice, engine })),
);

const byId: ReadonlyMap<string, CatalogueVoice> = new Map(engineVoices.map((voice) => [voice.id, voice]));

/** The preset voices as speech requests use them, by their `voice_id`. */
export const presets: ReadonlyMap<string, SpeakableVoice> = new Map(
  engineVoices.map((voice) => [voice.id, speakablePreset(voice)]),
);

function speakablePreset({ id, name, engine, languages }: CatalogueVoice): SpeakableVoice {
  return {
    voice_id: id,
    name,
    engine,
    engineVoice: id,
    languages,
    styles: styleNames,
    pitchShift: 0,
    pitchVariance: 1,
    rate: 1,
  };
}

/** The voice of that id, as its engine describes it. */
export function engineVoice(id: string): CatalogueVoice | undefined {
  return byId.get(id);
}

/**
 * The preset voices as the interface shows them (service-api.md, 2.1).
 * @param origin Scheme, host and port that the caller reached the service by: samples are heard from there.
 */
export function presetVoices(origin: string): Voice[] {
  return engineVoices.map((voice) => presetVoice(voice, origin));
}

/** One of them. */
export function presetVoice(voice: CatalogueVoice, origin: string): Voice {
  return {
    voice_id: voice.id,
    name: voice.name,
    description: voice.description,
    age: voice.age,
    gender: voice.gender,
    use_case: voice.useCases[0] ?? 'narration',
    use_cases: [...voice.useCases],
    language: [...voice.languages],
    styles: [...styleNames],
    models: modelsFor(voice.languages),
    samples: samplesOf(voice, origin),
  };
}

/** One sample per combination that can be spoken: the list is the authority on them (service-api.md, 2.2). */
function samplesOf({ id, languages }: EngineVoice, origin: string): NonNullable<Voice['samples']> {
  return languages.flatMap((language) =>
    styleNames.flatMap((style) =>
      modelsFor([language]).map((model) => ({
        language,
        style,
        model,
        url: `${origin}/samples/${id}/${language}/${style}/${model}.wav`,
      })),
    ),
  );
}

const places: ReadonlyMap<string, number> = new Map(engineVoices.map(({ id }, index) => [id, index + 1]));
const PREFIX = 'voice:';

/** The catalogue's natural order; its tokens are opaque (service-api.md, 2.3). */
export const presetOrder: Order<Voice> = {
  place: ({ voice_id }) => places.get(voice_id) ?? 0,
  write: ({ voice_id }) => Buffer.from(PREFIX + voice_id).toString('base64url'),
  read: (token) => {
    const text = Buffer.from(token, 'base64url').toString();
    return text.startsWith(PREFIX) ? places.get(text.slice(PREFIX.length)) : undefined;
  },
};

/**
 * The voice whose pitch is nearest on a musical scale: it has the least to be bent. A robot stands in for nobody, unless
 * there is nobody else for the language.
 * @param pitch in Hz
 */
export function nearestVoice(pitch: number, language?: string): CatalogueVoice | undefined {
  const speaking = engineVoices.filter(
    ({ languages }) => language === undefined || languages.includes(language),
  );
  const natural = speaking.filter(({ isNatural }) => isNatural);
  const [nearest] = (natural.length > 0 ? natural : speaking).toSorted(
    (a, b) => Math.abs(semitones(a.pitch, pitch)) - Math.abs(semitones(b.pitch, pitch)),
  );
  return nearest;
}

/** From one pitch to another, in Hz. */
export function semitones(from: number, to: number): number {
  return 12 * Math.log2(to / from);
}
