import type { ServerResponse } from 'node:http';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Hono, type MiddlewareHandler } from 'hono';
import { errorForLog, type Log } from '../kit/log.js';
import type { Metrics, MetricsPage } from '../metrics/metrics.js';
import { countedOf } from './metrics-operation.js';
import { errorReply, invalidUrl, toServiceError, unknownRoute } from './reply.js';
import type { OnNode } from './route.js';

/** The header with which a front end identifies a reply, in lower case. The log repeats it. */
export const REQUEST_ID = 'x-request-id';

export interface AppOptions {
  log: Log;
  metrics: Metrics;
  /** The page of metrics. Without it, its address is unknown. */
  metricsPage: MetricsPage | undefined;
  /** The current requests. The app adds and removes them. */
  running: Set<Promise<void>>;
}

/**
 * Creates the HTTP application: health check, metrics, and the routes of the front ends.
 * @param frontEnds in the order in which they match
 */
export function createApp(options: AppOptions, frontEnds: readonly Hono<OnNode>[]): Hono<OnNode> {
  const { log, metricsPage } = options;
  const app = new Hono<OnNode>();
  app.use(logged(options));
  app.use(checkUrl);
  app.onError((error, context) => replyToError(error, context.env.outgoing, log));
  app.notFound(({ req }) => errorReply(unknownRoute(req)));
  app.get('/healthz', (context) => context.json({ status: 'ok' }));
  if (metricsPage !== undefined) mountMetrics(app, metricsPage);
  for (const frontEnd of frontEnds) app.route('/', frontEnd);
  return app;
}

function mountMetrics(app: Hono<OnNode>, page: MetricsPage): void {
  app.get('/metrics', async (context) =>
    context.body(await page.text(), 200, { 'content-type': page.contentType, 'cache-control': 'no-store' }),
  );
}

/** Rejects a URL such as `http://1.2.3.4.5/`, which the HTTP library accepts without a check of its host. */
const checkUrl: MiddlewareHandler<OnNode> = async ({ req }, next) => {
  if (!URL.canParse(req.url)) throw invalidUrl();
  await next();
};

/** Logs and counts each request, without query, body and key. */
function logged({ log, running, metrics }: AppOptions): MiddlewareHandler<OnNode> {
  return async (context, next) => {
    const start = performance.now();
    const done = next();
    running.add(done);
    await done.finally(() => running.delete(done));
    const { method, path } = context.req;
    const { outgoing } = context.env;
    const { statusCode, headersSent } = outgoing;
    // The reply was a stream, or the reply to a broken body.
    if (headersSent) context.res = RESPONSE_ALREADY_SENT;
    const status = headersSent ? statusCode : context.res.status;
    metrics.request({ ...countedOf(context), status });
    const ms = Math.round(performance.now() - start);
    const request = outgoing.getHeader(REQUEST_ID);
    log({ level: 'info', method, path, status, ms, ...(request !== undefined && { request }) });
  };
}

/** Returns the error reply. If the headers of another reply were sent, that reply stands, cut short. */
function replyToError(error: unknown, outgoing: ServerResponse, log: Log): Response {
  const failure = toServiceError(error);
  if (failure.status === 500) log({ level: 'error', error: errorForLog(error) });
  return outgoing.headersSent ? RESPONSE_ALREADY_SENT : errorReply(failure);
}
