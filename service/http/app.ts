import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Hono, type MiddlewareHandler } from 'hono';
import type { Caller } from '../accounts/keys.js';
import { ledgerAccount } from '../console/console-account.js';
import { mountConsole } from '../console/routes.js';
import { Sessions } from '../console/session.js';
import { Gate } from './gate.js';
import type { Log } from '../log.js';
import { describeRoutes } from './openapi.js';
import { readRequest } from './read-request.js';
import { errorReply, toServiceError } from './reply.js';
import type { Call, Route } from './route.js';
import { type Parts, routesOf } from './routes.js';
import { SAMPLE_PATH, sampleReply } from '../voices/samples.js';
import { ServiceError } from '../errors.js';

interface OnNode {
  Bindings: HttpBindings;
}

interface WithCaller extends OnNode {
  Variables: { caller: Caller };
}

export interface AppOptions extends Parts {
  /** The identifier of the account of this machine's own user. */
  local: string;
  log: Log;
  /** Aborts when the service closes. */
  closing: AbortSignal;
  /** Holds every request until it is done with. */
  running: Set<Promise<void>>;
}

/** The key of a console session, as usage reports tell it. */
const CONSOLE_KEY = 'console';

/** The whole HTTP surface: operations behind the key; health, description and samples without one. */
export function createApp(options: AppOptions): Hono<OnNode> {
  const { log, running, closing } = options;
  const app = new Hono<OnNode>();
  app.use(logged(log, running));
  app.onError((error, context) => replyToError(error, context.env.outgoing, log));
  app.notFound(({ req }) => errorReply(new ServiceError(404, `there is no ${req.method} ${req.path}`)));
  app.get('/healthz', (context) => context.json({ status: 'ok' }));
  app.get(SAMPLE_PATH, sampleReply(options, closing));
  const routes = routesOf(options);
  app.get('/openapi.json', ({ req }) => Response.json(describeRoutes(routes, new URL(req.url).origin)));
  app.route('/', operationsOf(routes, options, withConsole(app, options)));
  return app;
}

/** Adds the console; returns the gate, which knows its sessions. */
function withConsole(app: Hono<OnNode>, { ledger: { accounts, keys }, local }: AppOptions): Gate {
  const sessions = new Sessions();
  const accountOf = (key: string) => {
    const caller = keys.authenticate(key);
    return caller && ledgerAccount(keys, caller.account.id);
  };
  mountConsole(app, { sessions, local: ledgerAccount(keys, local), accountOf });
  const localCaller = (incoming: IncomingMessage) =>
    sessions.admits(incoming) ? { account: accounts.get(local), keyId: CONSOLE_KEY } : undefined;
  return new Gate({ keys, localCaller });
}

function operationsOf(routes: readonly Route[], { closing }: AppOptions, gate: Gate): Hono<WithCaller> {
  const api = new Hono<WithCaller>();
  api.use('/v1/*', async (context, next) => {
    context.set('caller', gate.admit(context.env.incoming));
    await next();
  });
  for (const route of routes) mount(api, route, gate, closing);
  return api;
}

function mount(api: Hono<WithCaller>, { operation, answer }: Route, gate: Gate, closing: AbortSignal): void {
  const { method, path, bucket } = operation;
  api.on(method, path.replace(/\{(\w+)\}/g, ':$1'), async (context) => {
    const { incoming, outgoing } = context.env;
    const caller = context.get('caller');
    if (bucket === 'clone') gate.admitClone(caller);
    const { origin } = new URL(context.req.url);
    const call: Call = { origin, caller, outgoing, signal: endOf(outgoing, closing) };
    return answer((operation) => readRequest(operation, context, incoming), call);
  });
}

/** One line per request, without its query, its body or its key. */
function logged(log: Log, running: Set<Promise<void>>): MiddlewareHandler<OnNode> {
  return async (context, next) => {
    const start = performance.now();
    const done = next();
    running.add(done);
    await done.finally(() => running.delete(done));
    const { method, path } = context.req;
    const { statusCode, headersSent } = context.env.outgoing;
    // A stream, or a request whose body turned out to be broken.
    if (headersSent) context.res = RESPONSE_ALREADY_SENT;
    const status = headersSent ? statusCode : context.res.status;
    log({ level: 'info', method, path, status, ms: Math.round(performance.now() - start) });
  };
}

/** A reply that has begun can't become another one: it was broken off. */
function replyToError(error: unknown, outgoing: ServerResponse, log: Log): Response {
  const answer = toServiceError(error);
  if (answer.status === 500) log({ level: 'error', error: inWords(error) });
  return outgoing.headersSent ? RESPONSE_ALREADY_SENT : errorReply(answer);
}

function inWords(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
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
