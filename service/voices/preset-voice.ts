import { models, type Voice } from '@herald-speech/client/interface';
import type { EngineVoice } from '../engines/engine.js';
import { styleNames } from './styles.js';

/** The model identifiers of the interface; all of them are answered by the same engines (decisions/0011). */
const modelNames: readonly string[] = Object.keys(models);

/** The models that have one of these languages, the default one first where it does. */
export function modelsFor(languages: readonly string[]): string[] {
  return modelNames.filter((model) => languages.some((code) => models[model]?.languages.includes(code)));
}

/**
 * A preset voice as the interface shows it (docs/interface.md#voice).
 * @param origin Scheme, host and port that the caller reached the service by: samples are heard from there.
 */
export function presetVoice(voice: EngineVoice, origin: string): Voice {
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

/** One sample per combination that can be spoken: the list is the authority on them (docs/interface.md#sample). */
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
