import type { Operation } from '@herald-speech/client/interface';
import { Hono } from 'hono';
import type { ConnectionLimit } from './connection-limit.js';
import { countAs } from './metrics-operation.js';
import { callerSignal } from './caller-signal.js';
import type { AccessGate } from './gate.js';
import { describeRoutes } from './openapi.js';
import { readRequest } from './read-request.js';
import { unknownRoute } from './reply.js';
import type { Call, OnNode, OperationRoute } from './route.js';
import { type Dependencies, routesOf } from './routes.js';
import { SAMPLE_PATH, sampleReply } from './samples/samples.js';

export interface NativeOptions extends Dependencies {
  gate: AccessGate;
  connections: ConnectionLimit;
  /** Aborts when the service closes. */
  closing: AbortSignal;
}

/**
 * Returns the routes of the native interface: operations, their OpenAPI description and voice samples. Operations need a key or
 * a console session (docs/interface.md#authentication).
 */
export function nativeRoutes(options: NativeOptions): Hono<OnNode> {
  const app = new Hono<OnNode>();
  const routes = routesOf(options);
  const description = describeRoutes(routes);
  app.get(SAMPLE_PATH, sampleReply(options, options.closing));
  app.get('/openapi.json', (context) =>
    context.body(description(new URL(context.req.url).origin), 200, { 'content-type': 'application/json' }),
  );
  for (const { operation } of routes) {
    app.on(operation.method, patternOf(operation), async (context, next) => {
      countAs(context, { frontEnd: 'native', operation: operation.name });
      await next();
    });
  }
  for (const route of routes) mount(app, route, options);
  return app;
}

/** Rejects all other requests below `/v1/`, those without a key first. Belongs behind all other routes. */
export function unknownPaths({ gate }: Pick<NativeOptions, 'gate'>): Hono<OnNode> {
  return new Hono<OnNode>().all('/v1/*', ({ req, env }) => {
    gate.admit(env.incoming);
    throw unknownRoute(req);
  });
}

function mount(
  app: Hono<OnNode>,
  { operation, answer }: OperationRoute,
  { gate, closing, connections }: NativeOptions,
): void {
  app.on(operation.method, patternOf(operation), async (context) => {
    const { incoming, outgoing } = context.env;
    const caller = gate.admit(incoming);
    connections.admit(incoming, outgoing);
    if (operation.bucket === 'clone') gate.admitClone(caller);
    const { origin } = new URL(context.req.url);
    const call: Call = { origin, caller, outgoing, signal: callerSignal(outgoing, closing) };
    return answer((operation) => readRequest(operation, context, incoming), call);
  });
}

/** Returns the path of an operation in the form of the router. */
function patternOf({ path }: Operation): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}
