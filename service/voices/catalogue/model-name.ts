import { models } from '@herald-speech/client/interface';

/**
 * Returns the model that a name refers to. The model names of other deployments have the same endings after another first
 * word, and their clients send those names (docs/interface.md#models). So the ending decides.
 * @returns the name unchanged if no model has its ending
 */
export function modelNamed(name: string): string {
  if (Object.hasOwn(models, name)) return name;
  return Object.keys(models).find((known) => endingOf(known) === endingOf(name)) ?? name;
}

/** Returns the name without its first word: `speech_2_flash` for `main_speech_2_flash`. */
function endingOf(name: string): string {
  return name.slice(name.indexOf('_') + 1);
}
