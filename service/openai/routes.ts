import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Context, Hono } from 'hono';
import { abridged } from '@herald-speech/client/interface';
import type { ConnectionLimit } from '../http/connection-limit.js';
import { countAs } from '../http/metrics-operation.js';
import { callerSignal } from '../http/caller-signal.js';
import { type AccessGate, KEY_HEADER } from '../http/gate.js';
import { readJson } from '../http/read-request.js';
import type { OnNode } from '../http/route.js';
import { errorForLog, type Log } from '../kit/log.js';
import type { SpeechCall } from '../speech/speech-call.js';
import type { SpeechDependencies } from '../speech/start-speech.js';
import { OpenAiError, apiErrorReply, toApiError } from './api-error.js';
import { createOpenAiSpeech } from './create-speech.js';
import { listedModels, modelEntry } from './models.js';
import { readSpeechFields } from './request.js';
import { listedVoices } from './voices.js';

export interface OpenAiOptions extends SpeechDependencies {
  gate: AccessGate;
  connections: ConnectionLimit;
  /** Aborts when the service closes. */
  closing: AbortSignal;
  log: Log;
}

/** The message for a request without an active key. */
const KEY_REQUIRED =
  'Authorization is missing or has no active key: send "Authorization: Bearer KEY" with a key of this service';

type OpenAiContext = Context<OnNode>;

interface OpenAiRoute {
  method: 'GET' | 'POST';
  path: string;
  /** Name in the metrics. */
  operation: string;
  answer(context: OpenAiContext, caller: SpeechCall['caller']): Response | Promise<Response>;
}

/** Returns the routes of the OpenAI API (docs/openai.md). Every other path belongs to the routes of the service. */
export function openAiRoutes(options: OpenAiOptions): Hono<OnNode> {
  const { gate, connections } = options;
  const app = routesWithErrors(options);
  for (const { method, path, operation, answer } of [speechRoute(options), ...listRoutes(options)]) {
    app.on(method, path, async (context) => {
      countAs(context, { frontEnd: 'openai', operation });
      const { incoming, outgoing } = context.env;
      const caller = gate.admitKey(bearerOf(incoming.headers.authorization), KEY_REQUIRED);
      connections.admit(incoming, outgoing);
      return answer(context, caller);
    });
  }
  return app;
}

/**
 * Answers requests to unknown paths with `Authorization: Bearer KEY`. The error of the native interface would blame the key. Belongs
 * behind all other routes.
 */
export function unknownOpenAiPaths(options: Pick<OpenAiOptions, 'gate' | 'log'>): Hono<OnNode> {
  const app = routesWithErrors(options);
  app.all('/v1/*', async ({ req, env: { incoming } }, next) => {
    const { authorization, [KEY_HEADER]: nativeKey } = incoming.headers;
    const key = nativeKey === undefined ? bearerOf(authorization) : undefined;
    if (key === undefined) return next();
    options.gate.admitKey(key, KEY_REQUIRED);
    const message = `${req.method} ${abridged(req.path)}: unknown method or path. ${KNOWN_PATHS}`;
    throw new OpenAiError(404, 'invalid_request_error', message, { code: 'unknown_url' });
  });
  return app;
}

const KNOWN_PATHS =
  'Use POST /v1/audio/speech, GET /v1/audio/voices or GET /v1/models, or the native interface with the header x-sup-api-key';

/** Returns an application whose errors have the shape of the API. */
function routesWithErrors({ log }: Pick<OpenAiOptions, 'log'>): Hono<OnNode> {
  const app = new Hono<OnNode>();
  app.onError((thrown, { env }) => {
    const error = toApiError(thrown);
    if (error.status === 500) log({ level: 'error', error: errorForLog(thrown) });
    return env.outgoing.headersSent ? RESPONSE_ALREADY_SENT : apiErrorReply(error);
  });
  return app;
}

function speechRoute(options: OpenAiOptions): OpenAiRoute {
  return {
    method: 'POST',
    path: '/v1/audio/speech',
    operation: 'createSpeech',
    answer: async ({ env: { incoming, outgoing } }, caller) => {
      const fields = readSpeechFields(await readJson(incoming));
      const { httpVersion } = incoming;
      const { closing } = options;
      const signal = callerSignal(outgoing, closing);
      return createOpenAiSpeech(options, fields, { caller, outgoing, httpVersion, signal, closing });
    },
  };
}

function listRoutes(options: OpenAiOptions): OpenAiRoute[] {
  const list = (path: string, operation: string, body: (account: string) => object): OpenAiRoute => ({
    method: 'GET',
    path,
    operation,
    answer: (context, { account }) => context.json({ object: 'list', ...body(account.id) }),
  });
  return [
    list('/v1/models', 'listModels', () => ({ data: listedModels() })),
    list('/v1/audio/models', 'listModels', () => ({ models: listedModels() })),
    list('/v1/audio/voices', 'listVoices', (account) => ({ voices: listedVoices(options, account) })),
    {
      method: 'GET',
      path: '/v1/models/:model',
      operation: 'getModel',
      answer: (context) => context.json(modelEntry(context.req.param('model') ?? '')),
    },
  ];
}

/** Returns the key of the header `Authorization: Bearer KEY` (RFC 6750, section 2.1). */
function bearerOf(header: string | undefined): string | undefined {
  return /^Bearer +(\S+)\s*$/i.exec(header ?? '')?.[1];
}
