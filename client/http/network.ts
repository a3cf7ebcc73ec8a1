import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { createSecureContext } from 'node:tls';
import { Agent, buildConnector, type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici';
import { z } from 'zod';
import { SpeechError } from '../base/errors.js';
import { connectFailure, proxyFailure } from './transport-failure.js';
import type { TransportOptions } from './transport-options.js';
import { type Text, text } from '../base/messages.js';

/** Proxy and TLS of the connections to the service. The values can be secrets, so errors never quote them. */
export interface NetworkOptions {
  /**
   * URL of an HTTP or HTTPS proxy, such as `http://user:password@proxy.example.com:3128`; '' for no proxy. Default: the
   * environment variable HTTPS_PROXY or HTTP_PROXY, by the scheme of the service. Loopback addresses use no proxy.
   */
  proxy?: string | undefined;
  /** Hosts without proxy, in the form of NO_PROXY. Default: the environment variable NO_PROXY. */
  noProxy?: string | undefined;
  tls?: TlsOptions | undefined;
}

/** TLS options of the connection to the service, as in `node:tls`. Certificates and keys are PEM. */
export interface TlsOptions {
  /** Trusted authorities in place of the default ones, also for an HTTPS proxy. */
  ca?: Pem | Pem[] | undefined;
  /** Client certificate; requires `key`. */
  cert?: Pem | undefined;
  key?: Pem | undefined;
  passphrase?: string | undefined;
  /** Name in the service's certificate, if it differs from the host in the URL. */
  servername?: string | undefined;
  /** False accepts any certificate. */
  rejectUnauthorized?: boolean | undefined;
}

type Pem = string | Buffer;

/**
 * Creates the dispatcher for connections to one service, direct or through a proxy.
 * @param url base URL of the service
 * @param signal aborts pending connects and refuses further ones
 * @throws SpeechError `not-configured`; the message names the option, never its value
 */
export function createDispatcher(
  url: string,
  options: TransportOptions,
  network: NetworkOptions,
  signal: AbortSignal,
): Dispatcher {
  const tls = usableTls(network.tls ?? {});
  const connect = { timeout: options.connectTimeout, signal };
  const toService = { ...connect, ...tls };
  const direct = {
    connect: connector(toService, connectFailure),
    connections: options.connections,
    headersTimeout: options.firstByteTimeout,
    bodyTimeout: options.idleTimeout,
  };
  const proxy = proxyOf(url, network.proxy);
  if (proxy === undefined) return new Agent(direct);
  const toProxy = connector({ ...connect, ...(tls.ca !== undefined && { ca: tls.ca }) }, proxyFailure);
  return new EnvHttpProxyAgent({
    ...direct,
    ...proxy,
    ...(network.noProxy !== undefined && { noProxy: network.noProxy }),
    requestTls: toService,
    clientFactory: (origin) => new Pool(origin, { connect: toProxy, headersTimeout: options.connectTimeout }),
  });
}

/** Connects until the signal aborts. `failure` maps a connect error to a SpeechError that means "nothing was sent". */
function connector(
  options: buildConnector.BuildOptions & { signal: AbortSignal },
  failure: (thrown: unknown) => SpeechError,
): buildConnector.connector {
  const connect = buildConnector(options);
  return ({ servername = '', ...target }, callback) => {
    // A destroyed dispatcher may request one more connection, and Node.js ignores a signal that is already aborted.
    if (options.signal.aborted) return callback(failure(options.signal.reason), null);
    // TLS forbids an IP address as server name (RFC 6066, 3).
    connect({ ...target, ...(!isIP(servername) && { servername }) }, (...result) =>
      result[0] === null ? callback(...result) : callback(failure(result[0]), null),
    );
  };
}

/** Loopback hosts, which need no proxy. */
const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/;

/** Returns the proxy for a service, with its credentials as a token. */
function proxyOf(url: string, given: string | undefined) {
  const { hostname, protocol } = new URL(url);
  if (LOOPBACK.test(hostname)) return undefined;
  const [name, value] = given === undefined ? fromEnvironment(protocol) : ['proxy', given.trim()];
  if (value === '') return undefined;
  const { origin, username, password } = proxyAddress(name, value);
  const isNamed = username !== '' || password !== '';
  const token = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  return { httpProxy: origin, httpsProxy: origin, ...(isNamed && { token }) };
}

/** Returns the environment variable with the proxy, and its value. HTTP_PROXY also applies to HTTPS. */
function fromEnvironment(protocol: string): [name: string, value: string] {
  const names = [
    ...(protocol === 'https:' ? ['https_proxy', 'HTTPS_PROXY'] : []),
    'http_proxy',
    'HTTP_PROXY',
  ];
  const name = names.find((one) => process.env[one]?.trim()) ?? '';
  return [name, process.env[name]?.trim() ?? ''];
}

/** @throws SpeechError `not-configured`, without the value: it may contain a password */
function proxyAddress(name: string, value: string): { origin: string; username: string; password: string } {
  try {
    const { protocol, origin, username, password } = new URL(
      value.includes('://') ? value : `http://${value}`,
    );
    if (protocol !== 'http:' && protocol !== 'https:') throw new Error('unsupported scheme');
    return { origin, username: decodeURIComponent(username), password: decodeURIComponent(password) };
  } catch {
    throw new SpeechError('not-configured', text('proxy-address', { name }));
  }
}

const pem = z.union([z.string(), z.instanceof(Buffer)]);
const tlsSchema = z.strictObject({
  ca: z.union([pem, z.array(pem)]).optional(),
  cert: pem.optional(),
  key: pem.optional(),
  passphrase: z.string().optional(),
  servername: z.string().optional(),
  rejectUnauthorized: z.boolean().optional(),
});

/** Checks the TLS options before the first message. @throws SpeechError `not-configured` */
function usableTls(tls: TlsOptions): TlsOptions {
  const wrong = (message: Text) => new SpeechError('not-configured', message);
  const parsed = tlsSchema.safeParse(tls);
  if (!parsed.success) {
    const fields = parsed.error.issues.flatMap((issue) => ('keys' in issue ? issue.keys : issue.path));
    throw wrong(text('tls-fields', { fields: [...new Set(fields)].join(', ') }));
  }
  const { ca, cert, key, passphrase } = parsed.data;
  if ((cert === undefined) !== (key === undefined)) throw wrong(text('tls-pair'));
  try {
    // `createSecureContext` ignores an invalid authority.
    for (const authority of [ca ?? []].flat()) void new X509Certificate(authority);
    createSecureContext({ ca, cert, key, passphrase });
  } catch (cause) {
    throw wrong(text('tls-files', { problem: cause instanceof Error ? cause.message : String(cause) }));
  }
  return Object.fromEntries(Object.entries(parsed.data).filter(([, value]) => value !== undefined));
}
