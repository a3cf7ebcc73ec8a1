import {
  asSpeechError,
  type Client,
  issuesText,
  lazy,
  type SpeechDefaults,
  SpeechError,
  type z,
} from '@herald-speech/client';
import type { NextFunction, Request, Response } from 'express';
import type { NodeAPI } from 'node-red';
import { messageError } from '../../runtime/ports.js';
import type { EditorConnections } from './editor-connections.js';
import { type Asked, flowsPermission } from './flows-permission.js';
import { isNewAddress, resolveTarget, type ResolvedTarget, target } from './target.js';
import { localize, localizeError, type Translator } from '../../runtime/localize.js';
import { editorTranslator } from '../../runtime/languages.js';
import { say } from '../../runtime/messages.js';

/** Maximum duration of one request of the editor, in milliseconds. */
const DEADLINE_MS = 45_000;

/** Everything that an endpoint needs to answer one request. */
export interface EndpointTask<Request> {
  RED: NodeAPI;
  client: Client;
  defaults: SpeechDefaults;
  request: Request;
  /** Fires if the editor disconnects or the request takes too long. */
  signal: AbortSignal;
  /** Translates to the language of the editor. */
  translator: Translator;
  /** Connects again, for work that continues after the reply. Each use keeps the connection open. */
  connect: ResolvedTarget['connect'];
}

/** An admin route that calls the service of one account. */
export interface Endpoint<Schema extends z.ZodObject> {
  path: `/herald/${string}`;
  permission: 'herald.read' | 'herald.write';
  /** Builds the schema of the request. Called once. */
  request(): Schema;
  /** Whether a request has a path or an address that no flow has. It then also needs the permission `flows.write`. */
  isNew?(request: z.output<Schema>, RED: NodeAPI): boolean;
  /** Returns the JSON reply. @throws SpeechError */
  run(task: EndpointTask<z.output<Schema>>): Promise<object>;
}

/** Defines an endpoint, with the exact type of its request. */
export const endpoint = <Schema extends z.ZodObject>(definition: Endpoint<Schema>): Endpoint<Schema> => ({
  ...definition,
  request: lazy(definition.request),
});

/**
 * Serves an endpoint with its permission. An invalid request gets status 400. If the call to the service fails, the reply is
 * `{error}` with status 200.
 */
export function serve<Schema extends z.ZodObject>(
  RED: NodeAPI,
  connections: EditorConnections,
  definition: Endpoint<Schema>,
): void {
  const { path, permission, request: schema, isNew } = definition;
  const ifPermitted = flowsPermission(RED);
  RED.httpAdmin.post(
    path,
    refuseForeign,
    RED.auth.needsPermission(permission),
    (request: Request, response: Response, next: NextFunction) => {
      const read = { targeted: target().safeParse(request.body), parsed: schema().safeParse(request.body) };
      const { targeted, parsed } = read;
      const isNewRequest =
        (targeted.success && isNewAddress(RED, targeted.data)) ||
        (parsed.success && isNew?.(parsed.data, RED) === true);
      const asked = { request, response, next };
      ifPermitted(isNewRequest, asked, () => answer(RED, connections, definition, asked, read));
    },
  );
}

/** The types of bodies that no form can send. */
const NO_FORM = ['application/json', 'application/octet-stream'];

/**
 * Refuses requests that a page of another site can send without the consent of Node-RED: forms, and requests that the browser
 * marks as foreign. Without users, Node-RED would accept them.
 */
export function refuseForeign(request: Request, response: Response, next: NextFunction): void {
  const site = request.get('sec-fetch-site') ?? 'same-origin';
  if (request.method !== 'GET' && !request.is(NO_FORM)) response.sendStatus(415);
  else if (!['same-origin', 'none'].includes(site)) response.sendStatus(403);
  else next();
}

/** A request body, checked once. */
interface Read<Schema extends z.ZodObject> {
  targeted: z.ZodSafeParseResult<z.output<ReturnType<typeof target>>>;
  parsed: z.ZodSafeParseResult<z.output<Schema>>;
}

async function answer<Schema extends z.ZodObject>(
  RED: NodeAPI,
  connections: EditorConnections,
  { run }: Endpoint<Schema>,
  { request: asked, response }: Asked,
  { targeted, parsed }: Read<Schema>,
): Promise<void> {
  const body: unknown = asked.body;
  const translator = editorTranslator(RED, asked);
  response.set('Cache-Control', 'no-store');
  if (!targeted.success || !parsed.success) {
    const issues = [targeted, parsed].flatMap(({ error }) => error?.issues ?? []);
    response
      .status(400)
      .json({ error: { code: 'bad-request', message: localize(translator, issuesText(issues, body)) } });
    return;
  }
  const controller = new AbortController();
  const deadline = setTimeout(() => controller.abort(timedOut()), DEADLINE_MS);
  response.once('close', () => controller.abort(new SpeechError('aborted', say('editor-closed'))));
  try {
    const reach = () => resolveTarget(RED, connections, targeted.data);
    const { connect, defaults } = reach();
    const { signal } = controller;
    const client = await connect(signal);
    const again: ResolvedTarget['connect'] = (later) => reach().connect(later);
    const task = { RED, client, defaults, request: parsed.data, signal, translator, connect: again };
    response.json(await run(task));
  } catch (error) {
    response.json({ error: messageError(localizeError(translator, asSpeechError(error))) });
  } finally {
    clearTimeout(deadline);
  }
}

const timedOut = () => new SpeechError('timed-out', say('editor-waited', { seconds: DEADLINE_MS / 1000 }));
