import { normalizeText } from '../normalize/normalize-text.js';
import { withParts } from './german-numbers.js';
import { withSignWords } from './signs.js';
import { toUsualForm } from './text.js';

/**
 * Returns a text in its usual form, with figures and signs as words that eSpeak reads correctly.
 * @param language Two-letter code, not Japanese.
 */
export function inWords(text: string, language: string): string {
  const words = withSignWords(normalizeText(toUsualForm(text), language), language);
  return language === 'de' ? withParts(words) : words;
}
