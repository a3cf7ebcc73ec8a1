import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { createSecureContext } from 'node:tls';
import { Agent, buildConnector, type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici';
import { z } from 'zod';
import { SpeechError } from '../errors.js';
import { connectFailure, proxyFailure } from './transport-failure.js';
import type { WireOptions } from './transport.js';

/** How the service is reached. It holds secrets: what is wrong with it is told without its values. */
export interface NetworkOptions {
  /**
   * Address of an HTTP or HTTPS proxy, such as `http://user:password@proxy.example.com:3128`; '' for none. Without it
   * the environment's holds: HTTPS_PROXY or HTTP_PROXY, by the scheme of the service. This machine is never reached by one.
   */
  proxy?: string | undefined;
  /** Hosts that are reached without it, as NO_PROXY has them, which holds if this is not given. */
  noProxy?: string | undefined;
  tls?: TlsOptions | undefined;
}

/** TLS of the connection to the service, as `node:tls` has it; certificates and keys are PEM. */
export interface TlsOptions {
  /** Whom to trust, in place of the usual authorities; holds for an HTTPS proxy as well. */
  ca?: Pem | Pem[] | undefined;
  /** Certificate of the client, with its key. */
  cert?: Pem | undefined;
  key?: Pem | undefined;
  passphrase?: string | undefined;
  /** The name that the service's certificate must have, where it is not the one in its address. */
  servername?: string | undefined;
  /** False trusts anybody who answers. */
  rejectUnauthorized?: boolean | undefined;
}

type Pem = string | Buffer;

/**
 * Opens connections to one service: directly, or through a proxy.
 * @param url base address of the service
 * @param signal ends the connections that are still being made, and lets no further one be made
 * @throws SpeechError `not-configured`, naming the option, never with its value
 */
export function createDispatcher(
  url: string,
  options: WireOptions,
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

/** Makes connections until the signal fires; `failure` says of what went wrong that nothing was sent. */
function connector(
  options: buildConnector.BuildOptions & { signal: AbortSignal },
  failure: (thrown: unknown) => SpeechError,
): buildConnector.connector {
  const connect = buildConnector(options);
  return ({ servername = '', ...target }, callback) => {
    // The dispatcher may want one more behind its end, and under a signal that has fired the runtime would make it.
    if (options.signal.aborted) return callback(failure(options.signal.reason), null);
    // An address is no server name (RFC 6066, 3).
    connect({ ...target, ...(!isIP(servername) && { servername }) }, (...result) =>
      result[0] === null ? callback(...result) : callback(failure(result[0]), null),
    );
  };
}

/** This machine is not behind a proxy. */
const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/;

/** The proxy for a service, its credentials apart from its address. */
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

/** The variable that names a proxy, and its value; HTTP_PROXY stands in where there is none for HTTPS. */
function fromEnvironment(protocol: string): [name: string, value: string] {
  const names = [
    ...(protocol === 'https:' ? ['https_proxy', 'HTTPS_PROXY'] : []),
    'http_proxy',
    'HTTP_PROXY',
  ];
  const name = names.find((one) => process.env[one]?.trim()) ?? '';
  return [name, process.env[name]?.trim() ?? ''];
}

/** @throws SpeechError `not-configured`, without the value: it may hold a password */
function proxyAddress(name: string, value: string): { origin: string; username: string; password: string } {
  try {
    const { protocol, origin, username, password } = new URL(
      value.includes('://') ? value : `http://${value}`,
    );
    if (protocol !== 'http:' && protocol !== 'https:') throw new Error('another kind of proxy');
    return { origin, username: decodeURIComponent(username), password: decodeURIComponent(password) };
  } catch {
    throw new SpeechError(
      'not-configured',
      `${name}: expected the address of an HTTP or HTTPS proxy, such as http://proxy.example.com:3128`,
    );
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

/** TLS options that can be used, found out before the first message. @throws SpeechError `not-configured` */
function usableTls(tls: TlsOptions): TlsOptions {
  const wrong = (why: string) => new SpeechError('not-configured', `tls: ${why}`);
  const parsed = tlsSchema.safeParse(tls);
  if (!parsed.success) {
    const fields = parsed.error.issues.flatMap((issue) => ('keys' in issue ? issue.keys : issue.path));
    throw wrong(`${[...new Set(fields)].join(', ')} can't be used`);
  }
  const { ca, cert, key, passphrase } = parsed.data;
  if ((cert === undefined) !== (key === undefined)) throw wrong('cert and key belong together');
  try {
    // What is no certificate would be passed over in silence.
    for (const authority of [ca ?? []].flat()) void new X509Certificate(authority);
    createSecureContext({ ca, cert, key, passphrase });
  } catch (cause) {
    throw wrong(cause instanceof Error ? cause.message : "its files can't be read");
  }
  return Object.fromEntries(Object.entries(parsed.data).filter(([, value]) => value !== undefined));
}
