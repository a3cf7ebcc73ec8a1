import type { HttpBindings } from '@hono/node-server';
import {
  DEFAULT_MODEL,
  MAX_NAME_LENGTH,
  MAX_SAMPLE_BYTES,
  MAX_TEXT_LENGTH,
  models,
  voiceSettings,
} from '@herald-speech/client/interface';
import type { Context, Hono, MiddlewareHandler } from 'hono';
import { KEY_HEADER, KEY_REQUIRED, unknownKey } from '../accounts/keys.js';
import { ServiceError } from '../errors.js';
import type { ConsoleAccount } from './console-account.js';
import { readPageFile } from './page-files.js';
import type { Sessions } from './session.js';
import { isLoopbackRequest } from './loopback.js';

interface OnNode {
  Bindings: HttpBindings;
}

export interface ConsoleOptions {
  sessions: Sessions;
  /** The account of console sessions. */
  local: ConsoleAccount;
  /** Returns the account of an active API key, or undefined. */
  accountOf(key: string): ConsoleAccount | undefined;
}

/** Required header of a request for a session. A form or a page of another site cannot send it. */
const CONSOLE_HEADER = 'x-herald-console';

/** The page loads only files of this service, sends requests only to this service, and is never shown in a frame. */
const PAGE_HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "media-src 'self' blob:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'microphone=(self), camera=(), geolocation=()',
  'cache-control': 'no-cache',
};

/** Limits and models for the console page, so that the page repeats no figure (docs/interface.md#limits). */
const LIMITS = {
  text: MAX_TEXT_LENGTH,
  name: MAX_NAME_LENGTH,
  sampleBytes: MAX_SAMPLE_BYTES,
  defaultModel: DEFAULT_MODEL,
  settings: voiceSettings,
  settingsOf: Object.fromEntries(Object.entries(models).map(([name, { settings }]) => [name, settings])),
};

/**
 * Adds the console to the service (docs/decisions/0018):
 * - The page has no secrets and is available to every client.
 * - Sessions are available to the same computer only.
 * - The keys of an account are available to a session or to a key of the account.
 */
export function mountConsole(app: Hono<OnNode>, options: ConsoleOptions): void {
  mountPage(app);
  app.use('/console/session', withoutCache);
  app.post('/console/session', (context) => context.json({ token: openSession(context, options.sessions) }));
  app.use('/console/api/*', withoutCache);
  app.get('/console/api/keys', (context) => context.json({ keys: accountFor(context, options).listKeys() }));
  app.post('/console/api/keys', (context) => context.json(accountFor(context, options).createKey(), 201));
  app.delete('/console/api/keys/:id', (context) => {
    const id = context.req.param('id');
    if (!accountFor(context, options).revokeKey(id)) throw new ServiceError(404, unknownKey(id));
    return context.body(null, 204);
  });
}

function mountPage(app: Hono<OnNode>): void {
  const serve = async (context: Context, name: string) => {
    const file = await readPageFile(name);
    if (file === undefined) return context.notFound();
    return context.body(file.body, 200, { ...PAGE_HEADERS, 'content-type': file.type });
  };
  app.get('/console', (context) => serve(context, 'index.html'));
  app.get('/console/page/:name{.+}', (context) => serve(context, context.req.param('name')));
  app.get('/console/limits', (context) => context.json(LIMITS, 200, PAGE_HEADERS));
}

const withoutCache: MiddlewareHandler<OnNode> = async (context, next) => {
  await next();
  context.header('cache-control', 'no-store');
};

/** @throws ServiceError 403 unless the console page sends the request from the same computer */
function openSession({ env: { incoming } }: Context<OnNode>, sessions: Sessions): string {
  const { [CONSOLE_HEADER]: marker, origin } = incoming.headers;
  if (marker === undefined || origin === undefined || !isLoopbackRequest(incoming)) {
    throw new ServiceError(403, 'sessions are for the console on the same computer only: use an API key');
  }
  return sessions.open();
}

/** @throws ServiceError 401 without a session and without an active key */
function accountFor(
  { req, env }: Context<OnNode>,
  { sessions, local, accountOf }: ConsoleOptions,
): ConsoleAccount {
  if (sessions.admits(env.incoming)) return local;
  const account = accountOf(req.header(KEY_HEADER) ?? '');
  if (account !== undefined) return account;
  throw new ServiceError(401, KEY_REQUIRED);
}
