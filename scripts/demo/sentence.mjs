/** The example flow of `npm start` in the language of the user. */
import { readFileSync } from 'node:fs';

/**
 * The texts of the flow by language, node and property. Some languages have only the sentence.
 * @type {Readonly<Record<string, Record<string, Record<string, string>>>>}
 */
const texts = JSON.parse(readFileSync(new URL('first-words.json', import.meta.url), 'utf8'));

/** @param {string} locale such as `de-DE` */
const languageOf = (locale) => locale.slice(0, 2).toLowerCase();

/**
 * Returns the flow with its texts and the language of its account in the language of a locale. The editor names an account without
 * a name in its own language. For a locale without texts, the flow stays English.
 * @param {string} json the flow `examples/first-words.json`
 * @param {string} locale
 */
export function inLanguage(json, locale) {
  const language = languageOf(locale);
  const translated = texts[language];
  if (translated === undefined) return json;
  /** @type {Record<string, unknown>[]} */
  const nodes = JSON.parse(json);
  const changed = nodes.map((node) => ({
    ...node,
    ...translated[String(node['id'])],
    ...(node['type'] === 'herald-account' && { name: '', language }),
  }));
  return `${JSON.stringify(changed, undefined, 2)}\n`;
}

/** Returns the name of the node that speaks the sentence. @param {string} locale */
export const nameOfButton = (locale) => texts[languageOf(locale)]?.['fw-inject']?.['name'] ?? 'say hello';

/** The locale of the user, from the environment or the operating system. */
export const userLocale = () => new Intl.DateTimeFormat().resolvedOptions().locale;
