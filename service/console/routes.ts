import {
  DEFAULT_MODEL,
  MAX_NAME_LENGTH,
  MAX_SAMPLE_BYTES,
  MAX_TEXT_LENGTH,
  models,
  voiceSettings,
} from '@herald-speech/client/interface';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { type Keys, unknownKey } from '../accounts/keys.js';
import { ServiceError } from '../kit/errors.js';
import type { ConnectionLimit } from '../http/connection-limit.js';
import { KEY_HEADER, KEY_REQUIRED } from '../http/gate.js';
import type { OnNode } from '../http/route.js';
import { type ConsoleAccount, ledgerAccount } from './console-account.js';
import { mountMark, type MarkRoutesOptions } from './mark-routes.js';
import { mountNaturalVoices, type NaturalRoutesOptions } from './natural-routes.js';
import { readPageFile } from './page-files.js';
import type { Sessions } from './session.js';
import type { SignInTokens } from './sign-in-tokens.js';
import { isLoopbackRequest } from '../kit/loopback.js';

export interface ConsoleOptions extends Omit<NaturalRoutesOptions & MarkRoutesOptions, 'admit'> {
  sessions: Sessions;
  /** The one-time tokens of the links to the console. */
  tokens: SignInTokens;
  ledger: { keys: Keys };
  /** Identifier of the account of console sessions. */
  local: string;
  /** Returns a link that signs in, at the address of the service. The Host header of a request is not trusted. */
  consoleLink(): string;
  connections: Pick<ConnectionLimit, 'admit'>;
}

type Access = Pick<ConsoleOptions, 'sessions' | 'connections'> & {
  /** The account of console sessions. */
  local: ConsoleAccount;
  /** Returns the account of an active API key, or undefined. */
  accountOf(key: string): ConsoleAccount | undefined;
};

/** The header of the one-time token in a request for a session. A form or a page of another site cannot send it. */
const TOKEN_HEADER = 'x-herald-token';

export const CONSOLE_PATH = '/console';

/**
 * Returns the path of a link that signs in. The token is in the fragment, which browsers keep out of requests, so that it
 * appears in no log and in no Referer header.
 */
export function consolePath(token: string): string {
  return `${CONSOLE_PATH}#token=${token}`;
}

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
 * Returns the routes of the console (docs/decisions/0047):
 * - The page has no secrets and is available to every client.
 * - A session needs a one-time token and a connection from the same computer.
 * - The keys of an account are available to a session or to a key of the account.
 * - A key of the account of console sessions can request a link with a one-time token.
 * - The mark of a file can be checked with a session or with any key.
 */
export function consoleRoutes(options: ConsoleOptions): Hono<OnNode> {
  const app = new Hono<OnNode>();
  const access = accessTo(options);
  mountPage(app);
  app.use('/console/session', withoutCache);
  app.post('/console/session', (context) => context.json({ token: openSession(context, options) }));
  app.use('/console/api/*', withoutCache);
  app.get('/console/api/keys', (context) => context.json({ keys: accountFor(context, access).listKeys() }));
  app.post('/console/api/keys', (context) => context.json(accountFor(context, access).createKey(), 201));
  app.delete('/console/api/keys/:id', (context) => {
    const id = context.req.param('id');
    if (!accountFor(context, access).revokeKey(id)) throw new ServiceError(404, unknownKey(id));
    return context.body(null, 204);
  });
  app.post('/console/api/links', (context) => {
    admitKeyOfOwner(context, access);
    return context.json({ url: options.consoleLink() }, 201);
  });
  mountMark(app, { ...options, admit: (context) => accountFor(context, access) });
  mountNaturalVoices(app, { ...options, admit: (context) => admitOwner(context, access) });
  return app;
}

function accessTo({ sessions, connections, local, ledger: { keys } }: ConsoleOptions): Access {
  const accountOf = (key: string) => {
    const caller = keys.authenticate(key);
    return caller && ledgerAccount(keys, caller.account.id);
  };
  return { sessions, connections, local: ledgerAccount(keys, local), accountOf };
}

function mountPage(app: Hono<OnNode>): void {
  const serve = async (context: Context, name: string) => {
    const file = await readPageFile(name);
    if (file === undefined) return context.notFound();
    return context.body(file.body, 200, { ...PAGE_HEADERS, 'content-type': file.type });
  };
  app.get(CONSOLE_PATH, (context) => serve(context, 'index.html'));
  app.get('/console/page/:name{.+}', (context) => serve(context, context.req.param('name')));
  app.get('/console/limits', (context) => context.json(LIMITS, 200, PAGE_HEADERS));
}

const withoutCache: MiddlewareHandler<OnNode> = async (context, next) => {
  await next();
  context.header('cache-control', 'no-store');
};

/** @throws ServiceError 403 unless the console page sends a valid token from the same computer; 429 */
function openSession(
  { env: { incoming } }: Context<OnNode>,
  { sessions, tokens }: Pick<ConsoleOptions, 'sessions' | 'tokens'>,
): string {
  const { [TOKEN_HEADER]: token, origin } = incoming.headers;
  if (typeof token !== 'string' || origin === undefined || !isLoopbackRequest(incoming)) {
    const help = 'Open the link that "herald-service console" prints, or use an API key';
    throw new ServiceError(
      403,
      `sessions are for the console on the same computer, with a sign-in link: ${help}`,
    );
  }
  tokens.redeem(token);
  return sessions.open();
}

/** @throws ServiceError 401 without an active key, 403 for a key of another account */
function admitKeyOfOwner({ req, env }: Context<OnNode>, access: Access): void {
  const account = access.accountOf(req.header(KEY_HEADER) ?? '');
  if (account === undefined) throw new ServiceError(401, KEY_REQUIRED);
  access.connections.admit(env.incoming, env.outgoing);
  if (account.id === access.local.id) return;
  throw new ServiceError(403, `${KEY_HEADER}: sign-in links need the key in the data folder of the service`);
}

/**
 * Admits a request of a session or of a key of the account of console sessions.
 * @throws ServiceError 401 without a session and without an active key, 403 for a key of another account
 */
function admitOwner(context: Context<OnNode>, access: Access): void {
  if (accountFor(context, access).id === access.local.id) return;
  throw new ServiceError(
    403,
    `${KEY_HEADER}: natural voices are managed with the key in the data folder of the service, or in its console`,
  );
}

/** @throws ServiceError 401 without a session and without an active key */
function accountFor({ req, env }: Context<OnNode>, access: Access): ConsoleAccount {
  const { sessions, local, connections, accountOf } = access;
  const account = sessions.admits(env.incoming) ? local : accountOf(req.header(KEY_HEADER) ?? '');
  if (account === undefined) throw new ServiceError(401, KEY_REQUIRED);
  connections.admit(env.incoming, env.outgoing);
  return account;
}
