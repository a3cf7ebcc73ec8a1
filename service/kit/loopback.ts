import type { IncomingHttpHeaders } from 'node:http';

const LOOPBACK_ADDRESS = /^(?:::1|(?:::ffff:)?127(?:\.\d{1,3}){3})$/;
const LOOPBACK_NAMES = ['127.0.0.1', 'localhost', '[::1]'];
/** Sec-Fetch-Site of requests from the service's own page and from a typed address (W3C Fetch Metadata, section 2.4). */
const OWN_SITES = ['same-origin', 'none'];
/** Headers of a proxy. A proxy on the same computer also connects from a loopback address. */
const PROXY_HEADERS = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'];

/** The parts of a request that show its source. */
export interface RequestSource {
  headers: IncomingHttpHeaders;
  socket: { remoteAddress?: string | undefined; localPort?: number | undefined };
}

/**
 * Returns whether a request comes from the same computer, and not from another site in its browser. The connection and the
 * Host header must be loopback addresses. The Host header excludes DNS rebinding, in which the name of another site
 * resolves to a loopback address. Headers of another site or of a proxy must be absent.
 */
export function isLoopbackRequest({ headers, socket }: RequestSource): boolean {
  const { host = '', origin } = headers;
  const site = headers['sec-fetch-site'];
  return (
    LOOPBACK_ADDRESS.test(socket.remoteAddress ?? '') &&
    isOwnHost(host, socket.localPort) &&
    (origin === undefined || origin === `http://${host}`) &&
    (site === undefined || (typeof site === 'string' && OWN_SITES.includes(site))) &&
    PROXY_HEADERS.every((name) => headers[name] === undefined)
  );
}

/** Returns whether the host of a URL is a loopback name, so that requests to it can open a session. */
export function isLoopbackUrl(url: string): boolean {
  return LOOPBACK_NAMES.includes(new URL(url).hostname);
}

function isOwnHost(host: string, port: number | undefined): boolean {
  return LOOPBACK_NAMES.some((name) => host === `${name}:${port}` || (port === 80 && host === name));
}
