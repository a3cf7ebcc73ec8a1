import { asSpeechError, type Client, describeIssues, SpeechError, z } from '@herald-speech/client';
import type { NextFunction, Request, Response } from 'express';
import type { NodeAPI } from 'node-red';
import type { AccountDefaults } from '../account/account-node.js';
import { messageError } from '../runtime/ports.js';
import { isNewAddress, reachOf, targetFields } from './target.js';
import type { Ways } from './ways.js';

/** Milliseconds for everything that one request of the editor does. */
const DEADLINE_MS = 45_000;

/** What an endpoint works with. */
export interface Visit<Request> {
  client: Client;
  defaults: AccountDefaults;
  request: Request;
  /** Fires when the editor has gone, or it takes too long. */
  signal: AbortSignal;
}

/** A route of the admin interface that speaks to the service of one account. */
export interface Endpoint<Schema extends z.ZodObject> {
  path: `/herald/${string}`;
  permission: 'herald.read' | 'herald.write';
  request: Schema;
  /** The reply, as JSON. @throws SpeechError */
  run(visit: Visit<z.output<Schema>>): Promise<object>;
}

/** Describes an endpoint; keeps the exact type of its request. */
export const endpoint = <Schema extends z.ZodObject>(definition: Endpoint<Schema>): Endpoint<Schema> =>
  definition;

/**
 * Serves an endpoint behind its permission. A request that makes no sense is a 400; what went wrong on the way to the
 * service is the answer to a request that did: `{error}`.
 */
export function serve<Schema extends z.ZodObject>(
  RED: NodeAPI,
  ways: Ways,
  definition: Endpoint<Schema>,
): void {
  const mayWrite = RED.auth.needsPermission('herald.write');
  RED.httpAdmin.post(
    definition.path,
    RED.auth.needsPermission(definition.permission),
    (request: Request, response: Response, next: NextFunction) => {
      const target = z.object(targetFields).safeParse(request.body);
      if (target.success && isNewAddress(target.data)) mayWrite(request, response, next);
      else next();
    },
    (request: Request, response: Response) => void answer(RED, ways, definition, request.body, response),
  );
}

async function answer<Schema extends z.ZodObject>(
  RED: NodeAPI,
  ways: Ways,
  { request: schema, run }: Endpoint<Schema>,
  body: unknown,
  response: Response,
): Promise<void> {
  response.set('Cache-Control', 'no-store');
  const target = z.object(targetFields).safeParse(body);
  const parsed = schema.safeParse(body);
  if (!target.success || !parsed.success) {
    const issues = [target, parsed].flatMap(({ error }) => error?.issues ?? []);
    response.status(400).json({ error: { code: 'bad-request', message: describeIssues(issues, {}) } });
    return;
  }
  const visit = new AbortController();
  const late = setTimeout(() => visit.abort(tooLate()), DEADLINE_MS);
  response.once('close', () => visit.abort(new SpeechError('aborted', 'the editor has gone')));
  try {
    const { connect, defaults } = reachOf(RED, ways, target.data);
    const { signal } = visit;
    const client = await connect(signal);
    response.json(await run({ client, defaults, request: parsed.data, signal }));
  } catch (error) {
    response.json({ error: messageError(asSpeechError(error)) });
  } finally {
    clearTimeout(late);
  }
}

const tooLate = () =>
  new SpeechError('timed-out', `the service did not answer within ${DEADLINE_MS / 1000} s`);
