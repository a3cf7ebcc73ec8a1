/** The address of a hosted service, as it is typed. */

import { textOf } from '../text.js';

/** What can be wrong with it: keys of the account's words. */
export type UrlProblem = 'url-blank' | 'url-unreadable' | 'url-scheme' | 'url-secret' | 'url-extra';

const ENVIRONMENT = /^\$\{[^}]+\}$/;

/** What is wrong with an address; an environment variable is known to the runtime alone. */
export function urlProblem(text: string): UrlProblem | undefined {
  const url = text.trim();
  if (url === '') return 'url-blank';
  if (ENVIRONMENT.test(url)) return undefined;
  if (!/^https?:\/\//i.test(url)) return 'url-scheme';
  if (!URL.canParse(url)) return 'url-unreadable';
  const { username, password, search, hash } = new URL(url);
  if (username !== '' || password !== '') return 'url-secret';
  return search === '' && hash === '' ? undefined : 'url-extra';
}

/** The host of an address, or the address itself where none can be read. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

/** Whether a rate is `auto`, a whole number above 0 or an environment variable, as the client takes it. */
export function isRate(value: unknown): boolean {
  const text = textOf(value);
  return (
    text === '' ||
    text === 'auto' ||
    ENVIRONMENT.test(text) ||
    (Number.isInteger(Number(text)) && Number(text) > 0)
  );
}

/** Whether a default language is blank, a two-letter code or an environment variable. */
export function isLanguage(value: unknown): boolean {
  const text = textOf(value);
  return text === '' || ENVIRONMENT.test(text) || /^[a-z]{2}$/.test(text);
}
