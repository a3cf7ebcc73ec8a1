import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { abridged, type Operation } from '@herald-speech/client/interface';
import { Hono, type HonoRequest, type MiddlewareHandler } from 'hono';
import { ledgerAccount } from '../console/console-account.js';
import { admitOwner, mountConsole } from '../console/routes.js';
import { Sessions } from '../console/session.js';
import type { SignInTokens } from '../console/sign-in-tokens.js';
import type { ConnectionLimit } from './connection-limit.js';
import { countAs, countedOf } from './counted.js';
import { endOf } from './end-of.js';
import { Gate } from './gate.js';
import type { Log } from '../kit/log.js';
import type { MetricsPage } from '../metrics/metrics.js';
import { describeRoutes } from './openapi.js';
import { readRequest } from './read-request.js';
import { errorReply, invalidUrl, toServiceError } from './reply.js';
import type { Call, Route } from './route.js';
import { type Dependencies, routesOf } from './routes.js';
import type { Natural } from '../voices/natural/manage/natural.js';
import { mountNaturalVoices } from '../console/natural-routes.js';
import { openAiRoutes, unknownOpenAiPaths } from '../openai/routes.js';
import { SAMPLE_PATH, sampleReply } from './samples/samples.js';
import { ServiceError } from '../kit/errors.js';

interface OnNode {
  Bindings: HttpBindings;
}

export interface AppOptions extends Dependencies {
  /** Identifier of the account of console sessions. */
  local: string;
  /** The one-time tokens of the links to the console. */
  tokens: SignInTokens;
  /** Returns a new link to the console, at the address of the service. */
  consoleLink(): string;
  natural: Natural;
  log: Log;
  connections: ConnectionLimit;
  /** The page of metrics. Without it, its address is unknown. */
  metricsPage: MetricsPage | undefined;
  /** Aborts when the service closes. */
  closing: AbortSignal;
  /** The current requests. The app adds and removes them. */
  running: Set<Promise<void>>;
}

/** The `api_key` of console sessions in usage reports. */
const CONSOLE_KEY = 'console';

/**
 * Creates the HTTP application: operations, console, OpenAPI description, health check and voice samples. Operations
 * need a key or a console session (docs/interface.md#authentication).
 */
export function createApp(options: AppOptions): Hono<OnNode> {
  const { log, closing, metricsPage } = options;
  const app = new Hono<OnNode>();
  app.use(logged(options));
  app.use(checkUrl);
  app.onError((error, context) => replyToError(error, context.env.outgoing, log));
  app.notFound(({ req }) => errorReply(unknownRoute(req)));
  app.get('/healthz', (context) => context.json({ status: 'ok' }));
  if (metricsPage !== undefined) mountMetrics(app, metricsPage);
  app.get(SAMPLE_PATH, sampleReply(options, closing));
  const routes = routesOf(options);
  const description = describeRoutes(routes);
  app.get('/openapi.json', (context) =>
    context.body(description(new URL(context.req.url).origin), 200, { 'content-type': 'application/json' }),
  );
  const gate = withConsole(app, options);
  app.route('/', openAiRoutes({ ...options, gate }));
  app.route('/', operationsOf(routes, options, gate));
  app.route('/', unknownOpenAiPaths({ ...options, gate }));
  app.all('/v1/*', (context) => {
    gate.admit(context.env.incoming);
    throw unknownRoute(context.req);
  });
  return app;
}

function mountMetrics(app: Hono<OnNode>, page: MetricsPage): void {
  app.get('/metrics', async (context) =>
    context.body(await page.text(), 200, { 'content-type': page.contentType, 'cache-control': 'no-store' }),
  );
}

function unknownRoute({ method, path }: HonoRequest): ServiceError {
  const message = `${method} ${abridged(path)}: unknown method or path. GET /openapi.json lists the operations`;
  return new ServiceError(404, message);
}

/** Adds the console. Returns the gate, because only the gate and the console know the sessions. */
function withConsole(app: Hono<OnNode>, options: AppOptions): Gate {
  const {
    ledger: { accounts, keys },
    local,
  } = options;
  const sessions = new Sessions();
  const accountOf = (key: string) => {
    const caller = keys.authenticate(key);
    return caller && ledgerAccount(keys, caller.account.id);
  };
  const consoleOptions = { ...options, sessions, local: ledgerAccount(keys, local), accountOf };
  mountConsole(app, consoleOptions);
  mountNaturalVoices(app, { ...options, admit: (context) => admitOwner(context, consoleOptions) });
  const localCaller = (incoming: IncomingMessage) =>
    sessions.admits(incoming) ? { account: accounts.get(local), keyId: CONSOLE_KEY } : undefined;
  return new Gate({ keys, localCaller });
}

function operationsOf(
  routes: readonly Route[],
  options: Pick<AppOptions, 'closing' | 'connections'>,
  gate: Gate,
): Hono<OnNode> {
  const api = new Hono<OnNode>();
  for (const { operation } of routes) {
    api.on(operation.method, patternOf(operation), async (context, next) => {
      countAs(context, { frontEnd: 'native', operation: operation.name });
      await next();
    });
  }
  for (const route of routes) mount(api, route, gate, options);
  return api;
}

function mount(
  api: Hono<OnNode>,
  { operation, answer }: Route,
  gate: Gate,
  { closing, connections }: Pick<AppOptions, 'closing' | 'connections'>,
): void {
  api.on(operation.method, patternOf(operation), async (context) => {
    const { incoming, outgoing } = context.env;
    const caller = gate.admit(incoming);
    connections.admit(incoming, outgoing);
    if (operation.bucket === 'clone') gate.admitClone(caller);
    const { origin } = new URL(context.req.url);
    const call: Call = { origin, caller, outgoing, signal: endOf(outgoing, closing) };
    return answer((operation) => readRequest(operation, context, incoming), call);
  });
}

/** Returns the path of an operation in the form of the router. */
function patternOf({ path }: Operation): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
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
    const { statusCode, headersSent } = context.env.outgoing;
    // The reply was a stream, or the reply to a broken body.
    if (headersSent) context.res = RESPONSE_ALREADY_SENT;
    const status = headersSent ? statusCode : context.res.status;
    metrics.request({ ...countedOf(context), status });
    log({ level: 'info', method, path, status, ms: Math.round(performance.now() - start) });
  };
}

/** Returns the error reply. If the headers of another reply were sent, that reply stands, cut short. */
function replyToError(error: unknown, outgoing: ServerResponse, log: Log): Response {
  const failure = toServiceError(error);
  if (failure.status === 500) log({ level: 'error', error: textOf(error) });
  return outgoing.headersSent ? RESPONSE_ALREADY_SENT : errorReply(failure);
}

function textOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
