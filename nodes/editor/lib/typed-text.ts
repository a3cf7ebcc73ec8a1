/** Checks of typed texts. */

/** Whether the text is a reference such as `${NAME}`. Only the runtime knows the value of the variable. */
export const isEnvironmentVariable = (text: string): boolean => /^\$\{[^}]+\}$/.test(text);

/** Returns a text for a message of a validator, which Node-RED inserts as HTML. An imported flow may contain any text. */
export const withoutHtml = (text: string): string => text.replace(/[<>&]/g, '');

/** The highest port of TCP. */
export const MAX_PORT = 65_535;

/** Whether the runtime can read the host of a URL. Some browsers encode the spaces of a host, and the runtime refuses them. */
export const isReadableHost = (hostname: string): boolean => hostname !== '' && !hostname.includes('%');

/** Keys of the account's localized texts. */
export type UrlProblem =
  | 'url-blank'
  | 'url-unreadable'
  | 'url-scheme'
  | 'url-port'
  | 'url-secret'
  | 'url-extra';

/** Returns the first problem of a URL. A reference to an environment variable has no problem. */
export function urlProblem(text: string): UrlProblem | undefined {
  const url = text.trim();
  if (url === '') return 'url-blank';
  if (isEnvironmentVariable(url)) return undefined;
  if (!/^https?:\/\//i.test(url)) return 'url-scheme';
  if (!URL.canParse(url)) return hasWrongPort(url) ? 'url-port' : 'url-unreadable';
  const { hostname, username, password, search, hash } = new URL(url);
  if (!isReadableHost(hostname)) return 'url-unreadable';
  if (username !== '' || password !== '') return 'url-secret';
  return search === '' && hash === '' ? undefined : 'url-extra';
}

/** Returns whether an address with a scheme would be readable without its port. */
export function hasWrongPort(url: string): boolean {
  const [whole, start = '', port] = /^(\w+:\/\/[^/?#]*):(\d+)(?=[/?#]|$)/.exec(url) ?? [];
  if (whole === undefined || !URL.canParse(start)) return false;
  return Number(port) < 1 || Number(port) > MAX_PORT;
}

/** Returns a typed address with the scheme that it lacks; an example for a text that is no address. */
export function withScheme(text: string): string {
  const typed = text.trim();
  const isPlain = /^[\w.-]+(?::\d{1,5})?(?:\/[\w./-]*)?$/.test(typed) && /[.:]|^localhost/.test(typed);
  if (!isPlain) return 'https://speech.example.com';
  const isOwn = /^[\d.]+(?:[:/]|$)|:|^localhost|\.(?:local|lan|home|internal)(?:\/|$)/i.test(typed);
  return `${isOwn ? 'http' : 'https'}://${typed}`;
}
