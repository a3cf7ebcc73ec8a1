/** Calls the editor endpoints of the runtime, which reach the service of an account. */
import { type Fields, fieldsOf, numberOf, textOf } from '@herald-speech/browser';

/** Milliseconds; slightly longer than the runtime's own limit. */
const TIMEOUT_MS = 60_000;
/** Milliseconds for a file, as the server of Node-RED waits for a request. */
const FILE_TIMEOUT_MS = 300_000;

/** An account with the values of this editor. Without a newly typed key, the runtime uses the stored one. */
export interface Target {
  account: string;
  typed: Record<string, string>;
}

/** A failed call. The code is one of the client's error codes, or `no-permission` or `no-runtime`. */
export class RuntimeError extends Error {
  constructor(
    readonly code: string,
    message: string,
    /** HTTP status of the service, or of Node-RED for `no-runtime`. */
    readonly status?: number,
  ) {
    super(message);
  }
}

/** Localized texts for errors without a message of the runtime. */
const TEXTS: Readonly<Record<string, string>> = {
  'no-permission': 'trouble.no-permission',
  'no-runtime': 'trouble.no-runtime',
};

/** Returns the text of an error as a sentence. The runtime has translated its messages to the language of the editor. */
export function errorText(thrown: unknown, node: Pick<EditorNode, '_'>): string {
  const error = thrown instanceof RuntimeError ? thrown : new RuntimeError('internal', String(thrown));
  const key = TEXTS[error.code];
  return sentence(key === undefined ? error.message : node._(key));
}

/** Returns a text with a capital letter at its start, unless it starts with a URL or a name such as uiHost, and a full stop at its end. */
export const sentence = (text: string): string =>
  text
    .replace(/^(?!https?:|\p{Ll}+\p{Lu})\p{Ll}/u, (letter) => letter.toUpperCase())
    .replace(/(?<![.!?。…])$/, '.');

/**
 * Returns an account with its values in this editor, deployed or not.
 * @param id a blank id means the local service
 * @returns undefined if the editor has no such account
 */
export function targetOf(id: string): Target | undefined {
  if (id === '') return { account: id, typed: { service: 'local' } };
  const account = RED.nodes.node(id);
  if (account?.type !== 'herald-account') return undefined;
  const names = Object.keys(account._def.defaults);
  const values = names.map((name): [string, string] => [name, textOf(account[name])]);
  const apiKey = textOf(fieldsOf(account['credentials'])['apiKey']);
  const service = serviceOf(account);
  return { account: id, typed: { ...Object.fromEntries(values), service, apiKey } };
}

/** Returns the saved service of an account. An account that was saved before the property `service` has the service of its URL. */
export const serviceOf = (account: Fields): string =>
  textOf(account['service']) || defaultService(textOf(account['url']));

/** Returns the service of a URL that was saved without one. */
export const defaultService = (url: string): string => (url === '' ? 'local' : 'hosted');

/**
 * Posts a request to the runtime.
 * @param name last part of the endpoint's path
 * @param signal ends the request
 * @throws RuntimeError
 */
export const callRuntime = (name: string, body: object, signal?: AbortSignal): Promise<Fields> =>
  request(name, { type: 'POST', contentType: 'application/json', data: JSON.stringify(body) }, signal);

/**
 * Posts a file to the runtime.
 * @param name last part of the endpoint's path
 * @throws RuntimeError
 */
export const sendFile = (name: string, file: Blob): Promise<Fields> =>
  request(name, {
    type: 'POST',
    contentType: 'application/octet-stream',
    data: file,
    processData: false,
    timeout: FILE_TIMEOUT_MS,
  });

/**
 * Reads a resource of the runtime.
 * @param name last part of the endpoint's path
 * @throws RuntimeError
 */
export const readRuntime = (name: string): Promise<Fields> => request(name, { type: 'GET' });

interface FileOptions {
  processData?: false;
  timeout?: number;
}

async function request(
  name: string,
  options: { type: 'GET' } | ({ type: 'POST'; contentType: string; data: string | Blob } & FileOptions),
  signal?: AbortSignal,
): Promise<Fields> {
  let reply: unknown;
  const call = $.ajax({
    url: `herald/${name}`,
    headers: { 'Accept-Language': RED.i18n.lang() },
    timeout: TIMEOUT_MS,
    // A request that waits for a change is no activity of the page.
    global: signal === undefined,
    ...options,
  });
  const abort = () => call.abort();
  signal?.addEventListener('abort', abort);
  try {
    reply = await call;
  } catch (failed) {
    throw refusalError(fieldsOf(failed));
  } finally {
    signal?.removeEventListener('abort', abort);
  }
  const fields = fieldsOf(reply);
  if ('error' in fields) throw errorFrom(fields['error']);
  return fields;
}

/** Returns the error for a request that Node-RED refused or did not answer. */
function refusalError(reply: Fields): RuntimeError {
  const status = reply['status'];
  if (status === 401 || status === 403) return new RuntimeError('no-permission', '');
  const error = fieldsOf(reply['responseJSON'])['error'];
  return error === undefined ? new RuntimeError('no-runtime', '', numberOf(status)) : errorFrom(error);
}

/** Converts the error object of a reply. */
export function errorFrom(error: unknown): RuntimeError {
  const fields = fieldsOf(error);
  return new RuntimeError(textOf(fields['code']), textOf(fields['message']), numberOf(fields['status']));
}
