/** The models of the interface. */

interface Model {
  /** Language codes. */
  languages: readonly string[];
  /** Voice settings that the model supports. */
  settings: readonly string[];
  /** Whether the model reads `normalized_text`. */
  normalizes: boolean;
}

export type Models = Readonly<Record<string, Model>>;

/** Returns all languages that at least one model speaks. */
export const languagesOf = (models: Models = {}): string[] => [
  ...new Set(Object.values(models).flatMap(({ languages }) => languages)),
];

/** Whether a listed model ignores a voice setting or `normalized_text`. An unlisted model may support any. */
export function ignores(models: Models, model: string, field: string): boolean {
  const known = models[model];
  if (known === undefined) return false;
  return field === 'normalized_text' ? !known.normalizes : !known.settings.includes(field);
}
