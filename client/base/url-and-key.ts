import { SpeechError } from './errors.js';
import { type Text, text } from './messages.js';

/** Returns a URL without `/v1` and slashes at the end. Refuses a URL with a user name, a password or a query: it may contain a key. @throws SpeechError `not-configured` */
export function baseUrl(url: unknown): string {
  const wrong = (message: Text) => new SpeechError('not-configured', message);
  const field = 'url';
  if (typeof url !== 'string' || url.trim() === '') throw wrong(text('url-missing', { field }));
  if (!URL.canParse(url.trim())) throw wrong(text('url-invalid', { field }));
  const { protocol, username, password, search, hash, origin, pathname } = new URL(url.trim());
  if (protocol !== 'http:' && protocol !== 'https:') throw wrong(text('url-scheme', { field, protocol }));
  if (username || password) throw wrong(text('url-password', { field }));
  if (search || hash) throw wrong(text('url-query', { field }));
  return origin + pathname.replace(/(?<!\/)\/+$/, '').replace(/\/v1$/, '');
}

/**
 * Checks that a key can be sent in a header (docs/interface.md#authentication). White space around a key is usually a
 * copying mistake, and the service would answer 401.
 * @throws SpeechError `not-configured`; never with the key
 */
export function usableKey(key: unknown): string {
  const wrong = (message: Text) => new SpeechError('not-configured', message);
  const field = 'apiKey';
  if (typeof key !== 'string' || key === '') throw wrong(text('key-missing', { field }));
  if (key.trim() !== key) throw wrong(text('key-space', { field }));
  if (!/^[\x21-\x7e]+$/.test(key)) throw wrong(text('key-characters', { field }));
  return key;
}
