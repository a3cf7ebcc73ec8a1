import { randomUUID } from 'node:crypto';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Context, Hono } from 'hono';
import { abridged } from '@herald-speech/client/interface';
import type { ConnectionLimit } from '../http/connection-limit.js';
import { countAs } from '../http/metrics-operation.js';
import { callerSignal } from '../http/caller-signal.js';
import { type AccessGate, KEY_HEADER } from '../http/gate.js';
import { REQUEST_ID } from '../http/app.js';
import { readJson } from '../http/read-request.js';
import type { OnNode } from '../http/route.js';
import { errorForLog, type Log } from '../kit/log.js';
import { isLoopbackRequest } from '../kit/loopback.js';
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
  'Authorization is missing or has no active key: send "Authorization: Bearer KEY" with a key of this service. It is in the account in ' +
  'Node-RED under "Connect other programs", or in the file "key" of the data folder. Most programs name it "API key", wyoming-openai TTS_OPENAI_KEY';

/** The paths of the API, also without `/v1`, as some programs send them. */
const API_PATHS = /^\/(?:v1\/)?(?:audio|models|chat|completions|responses|embeddings|realtime)(?:\/|$)/;

type OpenAiContext = Context<OnNode>;

interface OpenAiRoute {
  method: 'GET' | 'POST';
  path: string;
  /** Name in the metrics. */
  operation: string;
  answer(context: OpenAiContext, caller: SpeechCall['caller']): Response | Promise<Response>;
  /** Answers a request without a key from the same computer. Without it, all requests need a key. */
  answerStranger?(context: OpenAiContext): Response;
}

/** Returns the routes of the OpenAI API (docs/openai.md). Every other path belongs to the routes of the service. */
export function openAiRoutes(options: OpenAiOptions): Hono<OnNode> {
  const { gate, connections } = options;
  const app = routesWithErrors(options);
  for (const { method, path, operation, answer, answerStranger } of [
    speechRoute(options),
    ...listRoutes(options),
  ]) {
    app.on(method, [`/v1${path}`, path], async (context) => {
      countAs(context, { frontEnd: 'openai', operation });
      const { incoming, outgoing } = context.env;
      outgoing.setHeader(REQUEST_ID, newRequestId());
      const { authorization } = incoming.headers;
      if (answerStranger !== undefined && hasNoKey(authorization) && isLoopbackRequest(incoming))
        return answerStranger(context);
      const caller = gate.admitKey(bearerOf(authorization), KEY_REQUIRED);
      connections.admit(incoming, outgoing);
      return answer(context, caller);
    });
  }
  return app;
}

/** Returns an identifier for a reply and its line in the log, as the libraries of the API show it. */
const newRequestId = (): string => `req_${randomUUID().replaceAll('-', '')}`;

/**
 * Answers requests to unknown paths of the API, and below `/v1/` requests with `Authorization: Bearer KEY`. The error of the native
 * interface would blame the key. Belongs behind all other routes.
 */
export function unknownOpenAiPaths(options: Pick<OpenAiOptions, 'gate' | 'log'>): Hono<OnNode> {
  const app = routesWithErrors(options);
  app.all('*', async ({ req, env: { incoming, outgoing } }, next) => {
    const { authorization, [KEY_HEADER]: nativeKey } = incoming.headers;
    const key = bearerOf(authorization);
    const isOfClient = API_PATHS.test(req.path) || (/^\/v1(?:\/|$)/.test(req.path) && key !== undefined);
    if (!isOfClient || nativeKey !== undefined) return next();
    outgoing.setHeader(REQUEST_ID, newRequestId());
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
    if (error.status === 500)
      log({ level: 'error', error: errorForLog(thrown), request: env.outgoing.getHeader(REQUEST_ID) });
    return env.outgoing.headersSent ? RESPONSE_ALREADY_SENT : apiErrorReply(error);
  });
  return app;
}

function speechRoute(options: OpenAiOptions): OpenAiRoute {
  return {
    method: 'POST',
    path: '/audio/speech',
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

/** The account of a request without a key. It has no custom voices. */
const NOBODY = '';

/** The lists contain nothing private. So programs of the same computer that have no field for a key can read them. */
function listRoutes(options: OpenAiOptions): OpenAiRoute[] {
  const list = (path: string, operation: string, body: (account: string) => object): OpenAiRoute => ({
    method: 'GET',
    path,
    operation,
    answer: (context, { account }) => context.json({ object: 'list', ...body(account.id) }),
    answerStranger: (context) => context.json({ object: 'list', ...body(NOBODY) }),
  });
  const model = (context: OpenAiContext) => context.json(modelEntry(context.req.param('model') ?? ''));
  return [
    list('/models', 'listModels', () => ({ data: listedModels() })),
    list('/audio/models', 'listModels', () => ({ models: listedModels() })),
    list('/audio/voices', 'listVoices', (account) => ({ voices: listedVoices(options, account) })),
    { method: 'GET', path: '/models/:model', operation: 'getModel', answer: model, answerStranger: model },
  ];
}

/** Returns the key of the header `Authorization: Bearer KEY` (RFC 6750, section 2.1). */
function bearerOf(header: string | undefined): string | undefined {
  return /^Bearer +(\S+)\s*$/i.exec(header ?? '')?.[1];
}

/** Returns whether a program has no key: some programs send a blank one then. */
const hasNoKey = (authorization: string | undefined): boolean =>
  /^(?:bearer)?\s*$/i.test(authorization ?? '');
