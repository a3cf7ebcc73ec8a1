import { SpeechError } from './errors.js';
import { type Text, text } from './messages.js';

/** Returns a URL without `/v1` and slashes at the end. Refuses a URL with a user name, a password or a query: it may contain a key. @throws SpeechError `not-configured` */
export function baseUrl(url: unknown): string {
  const wrong = (message: Text) => new SpeechError('not-configured', message);
  const field = 'url';
  if (typeof url !== 'string' || url.trim() === '') throw wrong(text('url-missing', { field }));
  const completed = withScheme(url.trim());
  if (completed !== undefined) throw wrong(text('url-bare', { field, url: completed }));
  if (!URL.canParse(url.trim())) throw wrong(text('url-invalid', { field }));
  const { protocol, username, password, search, hash, origin, pathname } = new URL(url.trim());
  if (protocol !== 'http:' && protocol !== 'https:') throw wrong(text('url-scheme', { field, protocol }));
  if (username || password) throw wrong(text('url-password', { field }));
  if (search || hash) throw wrong(text('url-query', { field }));
  return origin + pathname.replace(/(?<!\/)\/+$/, '').replace(/\/v1$/, '');
}

/** A host with a port or a usual ending, and a path. Other text may be a key, which no error may repeat. */
const BARE =
  /^(?:(?:localhost|\d{1,3}(?:\.\d{1,3}){3}|(?:[\w-]+\.)+[a-z]{2,24})(?::\d{1,5})?|(?:[\w-]{1,63}|\[[\da-f:]{2,39}\]):\d{1,5})(?:\/[\w./-]{0,200})?$/i;

/** A name of the internet without a port. Services in one's own network rarely have a certificate. */
const PUBLIC =
  /^(?:[\w-]+\.)+(?!local(?:\/|$)|lan(?:\/|$)|home(?:\/|$)|internal(?:\/|$))[a-z]{2,24}(?:\/|$)/i;

/** Returns the URL that an address such as `127.0.0.1:8880` means; undefined for any other text. */
function withScheme(typed: string): string | undefined {
  if (!BARE.test(typed)) return undefined;
  const url = `${PUBLIC.test(typed) ? 'https' : 'http'}://${typed}`;
  return URL.canParse(url) ? url : undefined;
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
