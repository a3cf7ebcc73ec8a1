import { isIP, Server } from 'node:net';
import { Server as TlsServer } from 'node:tls';
import type { NodeAPI } from 'node-red';

/** The place at which Node-RED serves HTTP routes. */
export interface Listener {
  scheme: 'http' | 'https';
  /** An address of this computer, '' or `0.0.0.0` or `::` for all. */
  host: string;
  port: number;
  /** The path before all routes of nodes: '', or a path without a slash at the end. */
  root: string;
}

/**
 * Returns the place at which Node-RED listens. The web server itself comes first: a program that embeds Node-RED has no
 * settings `uiHost` and `uiPort`.
 */
export function listenerOf(RED: NodeAPI): Listener {
  const { settings } = RED;
  const server: unknown = RED.server;
  const address = server instanceof Server ? server.address() : null;
  const isSecure = server instanceof TlsServer || Boolean(settings.https);
  const { host, port } =
    typeof address === 'object' && address !== null
      ? { host: address.address, port: address.port }
      : { host: settings.uiHost ?? '', port: settings.uiPort ?? 1880 };
  const root = (settings.httpNodeRoot || '').replace(/(?<!\/)\/+$/, '');
  return { scheme: isSecure ? 'https' : 'http', host, port, root };
}

export const isAnyAddress = (host: string): boolean => ['', '0.0.0.0', '::'].includes(host);

/** Returns the start of a URL, with brackets around an IPv6 address. */
export const originOf = ({ scheme, host, port }: Omit<Listener, 'root'>): string =>
  `${scheme}://${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
