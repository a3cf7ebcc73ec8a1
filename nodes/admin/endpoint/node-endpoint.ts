/** Admin routes of one deployed node, which need no connection to a service. */
import { asSpeechError, issuesText, lazy, type z } from '@herald-speech/client';
import type { NextFunction, Request, Response } from 'express';
import type { NodeAPI } from 'node-red';
import { localize, localizeError, type Translator } from '../../runtime/localize.js';
import { messageError } from '../../runtime/ports.js';
import { refuseForeign } from './endpoint.js';
import { type Asked, flowsPermission, mayWriteFlows } from './flows-permission.js';
import { editorTranslator } from '../../runtime/languages.js';

interface NodeTask<Request> {
  RED: NodeAPI;
  request: Request;
  /** Fires if the editor disconnects. */
  signal: AbortSignal;
  /** Translates to the language of the editor. */
  translator: Translator;
  /** Returns whether the user has the permission `flows.write`. */
  mayWriteFlows(): Promise<boolean>;
}

export interface NodeEndpoint<Schema extends z.ZodObject> {
  path: `/herald/${string}`;
  permission: 'herald.read' | 'herald.write';
  /** Builds the schema of the request. Called once. */
  request(): Schema;
  /** Whether a request has a path or an address that no flow has. It then also needs the permission `flows.write`. */
  isNew?(request: z.output<Schema>, RED: NodeAPI): boolean;
  /** Returns the JSON reply. @throws SpeechError */
  run(task: NodeTask<z.output<Schema>>): object | Promise<object>;
}

/** Defines an endpoint, with the exact type of its request. */
export const nodeEndpoint = <Schema extends z.ZodObject>(
  definition: NodeEndpoint<Schema>,
): NodeEndpoint<Schema> => ({ ...definition, request: lazy(definition.request) });

type Parsed<Schema extends z.ZodObject> = z.ZodSafeParseResult<z.output<Schema>>;

/** Serves an endpoint with its permission. An invalid request gets status 400. A failure is `{error}` with status 200. */
export function serveNode<Schema extends z.ZodObject>(
  RED: NodeAPI,
  { path, permission, request: schema, isNew, run }: NodeEndpoint<Schema>,
): void {
  const answer = async (exchange: Asked, parsed: Parsed<Schema>) => {
    const { request: asked, response } = exchange;
    const body: unknown = asked.body;
    const translator = editorTranslator(RED, asked);
    response.set('Cache-Control', 'no-store');
    if (!parsed.success) {
      const message = localize(translator, issuesText(parsed.error.issues, body));
      response.status(400).json({ error: { code: 'bad-request', message } });
      return;
    }
    const closed = new AbortController();
    response.once('close', () => closed.abort());
    try {
      const task = { RED, request: parsed.data, signal: closed.signal, translator };
      response.json(await run({ ...task, mayWriteFlows: () => mayWriteFlows(RED, exchange) }));
    } catch (error) {
      response.json({ error: messageError(localizeError(translator, asSpeechError(error))) });
    }
  };
  const ifPermitted = flowsPermission(RED);
  RED.httpAdmin.post(
    path,
    refuseForeign,
    RED.auth.needsPermission(permission),
    (request: Request, response: Response, next: NextFunction) => {
      const parsed = schema().safeParse(request.body);
      const asked = { request, response, next };
      const isNewRequest = parsed.success && isNew?.(parsed.data, RED) === true;
      ifPermitted(isNewRequest, asked, () => answer(asked, parsed));
    },
  );
}
