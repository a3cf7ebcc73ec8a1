import type { Dispatcher } from 'undici';
import { isLoopbackUrl } from '../../../kit/loopback.js';
import { type Downloads, type NetworkLimits, openDownloads } from './network.js';
import { badStatus, brokenConnection, shown, TransferError } from './transfer-error.js';

export type GetReply = Dispatcher.ResponseData;

const MAX_REDIRECTS = 5;
const REDIRECTS = [301, 302, 303, 307, 308];

export interface GetRequest {
  /** Address without a user name and a password. The header Authorization is for this origin only. */
  url: URL;
  headers: Readonly<Record<string, string>>;
  /** Statuses that `use` handles. */
  accepts: readonly number[];
  signal: AbortSignal;
}

/**
 * Sends one GET, follows redirects, and calls `use` with the reply. Then closes all connections.
 * @throws TransferError; the error of `use`; an AbortError
 */
export async function exchange<Result>(
  request: GetRequest,
  limits: NetworkLimits,
  use: (reply: GetReply) => Promise<Result>,
): Promise<Result> {
  const network = await openDownloads(limits);
  try {
    const reply = await follow(request, network);
    if (!request.accepts.includes(reply.statusCode)) throw badStatus(request.url, reply);
    // The end of the connection breaks the body of a refused reply.
    reply.body.on('error', () => undefined);
    return await use(reply);
  } catch (error) {
    request.signal.throwIfAborted();
    throw brokenConnection(error, request.url);
  } finally {
    await network.close();
  }
}

async function follow({ url, headers, signal }: GetRequest, network: Downloads): Promise<GetReply> {
  let target = url;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const reply = await get(
      target,
      target.origin === url.origin ? headers : withoutLogin(headers),
      network,
      signal,
    );
    if (!REDIRECTS.includes(reply.statusCode)) return reply;
    await reply.body.dump({ limit: 65_536 });
    target = redirectOf(reply, target, url);
  }
  const fix = 'Correct the address of the mirror';
  throw new TransferError(`${shown(url)}: more than ${MAX_REDIRECTS} redirects. ${fix}`);
}

async function get(
  url: URL,
  headers: GetRequest['headers'],
  network: Downloads,
  signal: AbortSignal,
): Promise<GetReply> {
  const options = {
    origin: url.origin,
    path: url.pathname + url.search,
    method: 'GET',
    headers,
    signal,
  } as const;
  return network.dispatcherFor(url).request(options);
}

const withoutLogin = (headers: GetRequest['headers']) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'authorization'));

/** A redirect may lead to HTTPS, to the mirror itself, and from a loopback mirror to a loopback address. */
function redirectOf(reply: GetReply, from: URL, mirror: URL): URL {
  const { location } = reply.headers;
  const isUsable = typeof location === 'string' && URL.canParse(location, from.href);
  if (!isUsable) throw new TransferError(`${shown(from)}: redirect without an address. Try another mirror`);
  const target = new URL(location, from);
  const isLoopback = target.protocol === 'http:' && isLoopbackUrl(mirror.href) && isLoopbackUrl(target.href);
  if (target.protocol === 'https:' || target.origin === mirror.origin || isLoopback) return target;
  const rule = 'a redirect must lead to https. Correct the address of the mirror';
  throw new TransferError(`${shown(from)}: redirect to ${shown(target)} refused, ${rule}`);
}
