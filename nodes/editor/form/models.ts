/** What each listed model can do, as the build writes it into the registration of the nodes that have one. */

export interface Model {
  languages: readonly string[];
  settings: readonly string[];
}

export type Models = Readonly<Record<string, Model>>;

/** The models in a registration. */
export function modelsIn(registered: unknown): Models {
  const entries = typeof registered === 'object' && registered !== null ? Object.entries(registered) : [];
  return Object.fromEntries(entries.filter((entry): entry is [string, Model] => isModel(entry[1])));
}

const isModel = (value: unknown): value is Model =>
  typeof value === 'object' && value !== null && 'languages' in value && 'settings' in value;

/** Every language that any of them speaks. */
export const languagesOf = (models: Models): string[] => [
  ...new Set(Object.values(models).flatMap(({ languages }) => languages)),
];

/** Whether a model is known to ignore a setting; of one that is not listed nothing is known. */
export const ignores = (models: Models, model: string, setting: string): boolean =>
  models[model]?.settings.includes(setting) === false;
