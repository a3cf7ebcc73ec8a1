import type { ServerResponse } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import { Hono, type MiddlewareHandler } from 'hono';
import { isSameKey } from './accounts/key.js';
import { mountConsole } from './console/routes.js';
import { Sessions } from './console/session.js';
import { singleKey } from './console/single-key.js';
import type { Log } from './log.js';
import { readRequest } from './read-request.js';
import { errorReply, toServiceError } from './reply.js';
import type { Call, Route } from './route.js';
import { type Parts, routesOf } from './routes.js';
import { SAMPLE_PATH, sampleReply } from './samples.js';
import { ServiceError } from './service-error.js';

/** The header that carries the key (service-api.md, 5). */
const KEY_HEADER = 'x-sup-api-key';

interface OnNode {
  Bindings: HttpBindings;
}

export interface AppOptions extends Parts {
  key: string;
  log: Log;
  /** Aborts when the service closes. */
  closing: AbortSignal;
}

/** The whole HTTP surface: operations behind the key, health and samples without one. */
export function createApp({ key, log, closing, ...parts }: AppOptions): Hono<OnNode> {
  const app = new Hono<OnNode>();
  app.use(logged(log));
  app.onError((error) => {
    const answer = toServiceError(error);
    if (answer.status === 500) log({ level: 'error', error: error.stack ?? error.message });
    return errorReply(answer);
  });
  app.notFound(({ req }) => errorReply(new ServiceError(404, `there is no ${req.method} ${req.path}`)));
  app.get('/healthz', (context) => context.json({ status: 'ok' }));
  app.get(SAMPLE_PATH, sampleReply(parts.speech, closing));
  const sessions = new Sessions();
  mountConsole(app, { sessions, ...singleKey(key) });
  app.use('/v1/*', guarded(key, sessions));
  for (const route of routesOf(parts)) mount(app, route, closing);
  return app;
}

/** One line per request, without its query, its body or its key. */
function logged(log: Log): MiddlewareHandler<OnNode> {
  return async (context, next) => {
    const start = performance.now();
    await next();
    const { method, path } = context.req;
    const { statusCode, headersSent } = context.env.outgoing;
    const status = headersSent ? statusCode : context.res.status;
    log({ level: 'info', method, path, status, ms: Math.round(performance.now() - start) });
  };
}

function guarded(key: string, sessions: Sessions): MiddlewareHandler<OnNode> {
  return async ({ req, env }, next) => {
    if (!sessions.admits(env.incoming) && !isSameKey(req.header(KEY_HEADER) ?? '', key)) {
      throw new ServiceError(401, `${KEY_HEADER} is missing or is not the key of this service`);
    }
    await next();
  };
}

function mount(app: Hono<OnNode>, { method, path, answer }: Route, closing: AbortSignal): void {
  app.on(method, path.replace(/\{(\w+)\}/g, ':$1'), async (context) => {
    const { incoming, outgoing } = context.env;
    const { origin } = new URL(context.req.url);
    const call: Call = { origin, outgoing, signal: endOf(outgoing, closing) };
    return answer((operation) => readRequest(operation, context, incoming), call);
  });
}

/** Aborts when the caller hangs up or the service closes, so that nobody's speech is not made. */
function endOf(outgoing: ServerResponse, closing: AbortSignal): AbortSignal {
  const controller = new AbortController();
  const close = () => controller.abort(closing.reason);
  closing.addEventListener('abort', close, { once: true });
  outgoing.once('close', () => {
    closing.removeEventListener('abort', close);
    controller.abort(new ServiceError(408, 'the caller hung up'));
  });
  if (closing.aborted) close();
  return controller.signal;
}
