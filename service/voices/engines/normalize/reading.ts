/** The readings of texts, for other packages (`@herald-speech/local-service/reading`). Loads no engine. */
import { sayAsParts } from '@herald-speech/client/text';
import { readPart } from './say-as.js';

export { readPart };

/**
 * Returns a text with the elements `say-as` in words. Other figures are unchanged.
 * @param language Two-letter code, or a tag with a region.
 */
export function withWays(text: string, language: string): string {
  if (!/<say-as\s/iu.test(text)) return text;
  let before = '';
  return sayAsParts(text)
    .map((part) => {
      const words = part.as === undefined ? part.text : readPart(part, language, before);
      before = part.text;
      return words;
    })
    .join('');
}
