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
import { KEY_HEADER } from '../accounts/keys.js';
import { ServiceError } from '../errors.js';
import type { ConsoleAccount } from './console-account.js';
import { readPageFile } from './page-files.js';
import type { Sessions } from './session.js';
import { isFromThisMachine } from './loopback.js';

interface OnNode {
  Bindings: HttpBindings;
}

export interface ConsoleOptions {
  sessions: Sessions;
  /** The account of a session: what this machine's own user administers. */
  local: ConsoleAccount;
  /** The account that an API key opens; undefined where it opens none. */
  accountOf(key: string): ConsoleAccount | undefined;
}

/** Makes a request for a session one that no form and no foreign page can send. */
const CONSOLE_HEADER = 'x-herald-console';

/** The page runs its own files alone, talks to this service alone, and is shown in no frame. */
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
 * Adds the console to the service: the page, which holds no secret and is for anybody who reaches the port; sessions, for
 * this machine alone; and the keys of an account, for a session or a key. Why so: docs/decisions/0018.
 */
export function mountConsole(app: Hono<OnNode>, options: ConsoleOptions): void {
  mountPage(app);
  app.use('/console/session', unstored);
  app.post('/console/session', (context) => context.json({ token: openSession(context, options.sessions) }));
  app.use('/console/api/*', unstored);
  app.get('/console/api/keys', (context) => context.json({ keys: accountFor(context, options).listKeys() }));
  app.post('/console/api/keys', (context) => context.json(accountFor(context, options).createKey(), 201));
  app.delete('/console/api/keys/:id', (context) => {
    const id = context.req.param('id');
    if (!accountFor(context, options).revokeKey(id)) throw new ServiceError(404, `there is no key "${id}"`);
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

const unstored: MiddlewareHandler<OnNode> = async (context, next) => {
  await next();
  context.header('cache-control', 'no-store');
};

/** @throws ServiceError 403 for anybody but a page of this service in a browser on this machine */
function openSession({ env: { incoming } }: Context<OnNode>, sessions: Sessions): string {
  const { [CONSOLE_HEADER]: asked, origin } = incoming.headers;
  if (asked === undefined || origin === undefined || !isFromThisMachine(incoming)) {
    throw new ServiceError(403, 'a session is for the console on this machine alone: use an API key');
  }
  return sessions.open();
}

/** @throws ServiceError 401 without a session or a key that opens an account */
function accountFor(
  { req, env }: Context<OnNode>,
  { sessions, local, accountOf }: ConsoleOptions,
): ConsoleAccount {
  if (sessions.admits(env.incoming)) return local;
  const account = accountOf(req.header(KEY_HEADER) ?? '');
  if (account !== undefined) return account;
  throw new ServiceError(401, `${KEY_HEADER} is missing or opens no account`);
}
