/** Asks the runtime what only it can ask: the service of an account. */
import { fieldsOf, textOf } from './text.js';

/** A little more than the runtime takes for itself. */
const TIMEOUT_MS = 60_000;

/** Which account: the deployed one, with its values as they are in this editor. A stored key is not among them. */
export interface Target {
  account: string;
  typed: Record<string, string>;
}

/** The fields of an answer. */
export type Reply = ReadonlyMap<string, unknown>;

/** What went wrong, by the codes of the client and a few of the way to it. */
export class Failure extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** The words that a failure has in every language; of any other its own message is shown. */
const WORDS: Readonly<Record<string, string>> = {
  'not-configured': 'trouble.not-configured',
  unauthorized: 'trouble.unauthorized',
  forbidden: 'trouble.forbidden',
  'out-of-credits': 'trouble.out-of-credits',
  'rate-limited': 'trouble.rate-limited',
  'no-connection': 'trouble.no-connection',
  'insecure-connection': 'trouble.insecure-connection',
  'no-reply': 'trouble.no-reply',
  'timed-out': 'trouble.no-reply',
  'service-failed': 'trouble.service-failed',
  'bad-reply': 'trouble.bad-reply',
  'no-permission': 'trouble.no-permission',
  'no-runtime': 'trouble.no-runtime',
};

/** A failure in words, with what exactly was said behind it. */
export function wordsOf(thrown: unknown, node: Pick<EditorNode, '_'>): string {
  const failure = thrown instanceof Failure ? thrown : new Failure('internal', String(thrown));
  const key = WORDS[failure.code];
  if (key === undefined) return failure.message;
  return failure.message === '' ? `${node._(key)}.` : `${node._(key)}: ${failure.message}`;
}

/** An account that is in this editor, deployed or not; blank is this machine. Undefined where it is gone. */
export function targetOf(id: string): Target | undefined {
  if (id === '') return { account: id, typed: { service: 'local' } };
  const account = RED.nodes.node(id);
  if (account?.type !== 'herald-account') return undefined;
  const names = Object.keys(account._def.defaults);
  const values = names.map((name): [string, string] => [name, textOf(account[name])]);
  const apiKey = textOf(fieldsOf(account['credentials']).get('apiKey'));
  const service = textOf(account['service']) || usualService(textOf(account['url']));
  return { account: id, typed: { ...Object.fromEntries(values), service, apiKey } };
}

/** The service of an account that is older than the choice between them. */
export const usualService = (url: string): string => (url === '' ? 'local' : 'hosted');

/**
 * @param name the last part of the endpoint's address
 * @throws Failure
 */
export async function askRuntime(name: string, body: object): Promise<Reply> {
  let reply: unknown;
  try {
    reply = await $.ajax({
      url: `herald/${name}`,
      type: 'POST',
      contentType: 'application/json',
      data: JSON.stringify(body),
      timeout: TIMEOUT_MS,
    });
  } catch (failed) {
    throw refusalOf(fieldsOf(failed));
  }
  const fields = fieldsOf(reply);
  if (fields.has('error')) throw failureIn(fields.get('error'));
  return fields;
}

/** Node-RED refused the request, or did not answer. */
function refusalOf(reply: Reply): Failure {
  const status = reply.get('status');
  if (status === 401 || status === 403) return new Failure('no-permission', '');
  const error = fieldsOf(reply.get('responseJSON')).get('error');
  return error === undefined ? new Failure('no-runtime', '') : failureIn(error);
}

/** A failure as the runtime tells it. */
export function failureIn(error: unknown): Failure {
  const fields = fieldsOf(error);
  return new Failure(textOf(fields.get('code')), textOf(fields.get('message')));
}
