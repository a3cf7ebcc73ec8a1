import { models } from '@herald-speech/client/interface';

/**
 * The model of this service that a name means. Deployments put a word of their own before the same endings, and public
 * clients send that word (docs/interface.md#models), so the ending decides.
 * @returns the name itself where no model ends like it
 */
export function modelNamed(name: string): string {
  if (Object.hasOwn(models, name)) return name;
  return Object.keys(models).find((known) => endingOf(known) === endingOf(name)) ?? name;
}

/** What follows the first word: `speech_2_flash` of `main_speech_2_flash`. */
function endingOf(name: string): string {
  return name.slice(name.indexOf('_') + 1);
}
