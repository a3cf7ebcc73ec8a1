import { setMaxListeners } from 'node:events';
import type { buildConnector, Dispatcher } from 'undici';
import { isLoopbackUrl } from '../../../kit/loopback.js';
import { NaturalVoiceError } from '../../installed/errors.js';

/** Limits of one HTTP exchange, in milliseconds. */
export interface NetworkLimits {
  /** Time until a connection is established, including DNS and TLS. */
  connect: number;
  /** Time until the reply begins, and between two parts of a reply. */
  idle: number;
}

/** Connections for the work of one caller, direct or through the proxy of the environment. */
export interface Downloads {
  dispatcherFor(url: URL): Dispatcher;
  close(): Promise<void>;
}

/**
 * Opens connections on demand. HTTPS_PROXY, HTTP_PROXY and NO_PROXY apply as in the client. Loopback addresses use no proxy.
 * @throws NaturalVoiceError `network` for an invalid proxy address
 */
export async function openDownloads(limits: NetworkLimits): Promise<Downloads> {
  const { Agent, buildConnector, EnvHttpProxyAgent, Pool } = await import('undici');
  const ending = new AbortController();
  setMaxListeners(0, ending.signal); // Each connect adds a listener, and a redirect connects again.
  // `destroy` does not abort pending connects; this signal does.
  const requestTls = { timeout: limits.connect, signal: ending.signal };
  const connect = unlessEnded(buildConnector(requestTls), ending.signal);
  const timeouts = { headersTimeout: limits.idle, bodyTimeout: limits.idle };
  const toProxy = { connect, headersTimeout: limits.connect };
  const clientFactory = (origin: URL) => new Pool(origin, toProxy);
  const proxied = { ...timeouts, connect, requestTls, clientFactory, ...proxiesOf(process.env) };
  const dispatchers: Dispatcher[] = [];
  return {
    dispatcherFor(url) {
      const isDirect = isLoopbackUrl(url.href);
      const dispatcher = isDirect ? new Agent({ ...timeouts, connect }) : new EnvHttpProxyAgent(proxied);
      dispatchers.push(dispatcher);
      return dispatcher;
    },
    async close() {
      ending.abort();
      await Promise.all(dispatchers.map((dispatcher) => dispatcher.destroy()));
    },
  };
}

/** Refuses connections after the end: a destroyed dispatcher may request one more. Node.js ignores an aborted signal. */
function unlessEnded(connect: buildConnector.connector, ending: AbortSignal): buildConnector.connector {
  return (target, callback) => {
    if (ending.aborted) callback(new Error('the download has ended'), null);
    else connect(target, callback);
  };
}

/** Returns the proxies of the environment, as complete addresses. HTTP_PROXY also applies to HTTPS. */
function proxiesOf(env: NodeJS.ProcessEnv): { httpProxy?: string; httpsProxy?: string } {
  const http = proxyIn(env, 'http_proxy', 'HTTP_PROXY');
  const https = proxyIn(env, 'https_proxy', 'HTTPS_PROXY') ?? http;
  return { httpProxy: http ?? '', httpsProxy: https ?? '' };
}

function proxyIn(env: NodeJS.ProcessEnv, ...names: string[]): string | undefined {
  const name = names.find((one) => env[one]?.trim());
  const value = (name && env[name]?.trim()) ?? '';
  if (value === '') return undefined;
  const address = value.includes('://') ? value : `http://${value}`;
  if (URL.canParse(address)) return address;
  // The value may contain a password, so the message leaves it out.
  const rule = 'expected an address such as http://proxy.example.com:3128';
  throw new NaturalVoiceError('network', `${name}: invalid address of a proxy, ${rule}`);
}
