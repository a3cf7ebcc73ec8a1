import { models, type Voice } from '@herald-speech/client/interface';
import type { EngineVoice } from '../engines/engine.js';
import { roundedSeconds } from '../../kit/units.js';
import { styleNames } from './styles.js';

/** The model names of the interface. All models use the same engines (docs/decisions/0015). */
const modelNames: readonly string[] = Object.keys(models);

/** The models of a language that the interface does not name. They follow the same settings as for German or French. */
const OTHER_LANGUAGES: readonly string[] = ['main_speech_2', 'main_speech_2_flash'];

/**
 * Returns the models that support one of these languages, in the order of the interface: the default model comes first. An installed
 * voice can speak a language that no model of the interface lists (docs/natural-voices.md#languages).
 */
export function modelsFor(languages: readonly string[]): string[] {
  const named = modelNames.filter((model) =>
    languages.some((code) => models[model]?.languages.includes(code)),
  );
  return named.length > 0 ? named : [...OTHER_LANGUAGES];
}

/**
 * Describes a preset voice for a reply (docs/interface.md#voice).
 * @param origin scheme, host and port at which the caller reached the service; the addresses of the samples start with it
 */
export function presetVoice(voice: EngineVoice, origin: string): Voice {
  return withSamples(describeVoice(voice), origin);
}

/** Describes a preset voice without its samples. */
export function describeVoice(voice: EngineVoice): Voice {
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
    ...(voice.locale !== undefined && { locale: voice.locale }),
    ...(isNaturalVoice(voice) && naturalFields(voice)),
  };
}

/** Returns whether a user installed the voice. Only these voices have a quality. The other voices are simple voices. */
export function isNaturalVoice({ quality }: Pick<EngineVoice, 'quality'>): boolean {
  return quality !== undefined;
}

/** Returns the fields that only natural voices have. */
function naturalFields(voice: EngineVoice): Partial<Voice> {
  const { quality, licence, isNonCommercial, isLive, realTimeFactor } = voice;
  return {
    natural: true,
    quality,
    ...(licence != null && { licence }),
    ...(isNonCommercial && { non_commercial: true }),
    ...(isLive !== undefined && { live: isLive }),
    ...(realTimeFactor !== undefined && { real_time_factor: roundedSeconds(realTimeFactor) }),
  };
}

/** Adds one sample for each supported combination of language, style and model (docs/interface.md#sample). */
export function withSamples(voice: Voice, origin: string): Voice {
  const samples = voice.language.flatMap((language) =>
    styleNames.flatMap((style) =>
      modelsFor([language]).map((model) => ({
        language,
        style,
        model,
        url: `${origin}/samples/${encodeURIComponent(voice.voice_id)}/${language}/${style}/${model}.wav`,
      })),
    ),
  );
  return { ...voice, samples };
}
