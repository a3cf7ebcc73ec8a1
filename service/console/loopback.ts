import type { IncomingHttpHeaders } from 'node:http';

const LOOPBACK_ADDRESS = /^(?:::1|(?:::ffff:)?127(?:\.\d{1,3}){3})$/;
const LOOPBACK_NAMES = ['127.0.0.1', 'localhost', '[::1]'];
/** What a browser says of a page of our own, and of an address that somebody typed (Fetch Metadata, 2.4). */
const OWN_SITES = ['same-origin', 'none'];
/** A proxy on this machine connects from here on behalf of somebody else. */
const PROXY_HEADERS = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'];

/** Of a request, what tells where it comes from. */
export interface Caller {
  headers: IncomingHttpHeaders;
  socket: { remoteAddress?: string | undefined; localPort?: number | undefined };
}

/**
 * Whether a request comes from this machine and from no foreign page in its browser: a loopback connection, addressed to
 * a loopback name (a foreign name that was made to point here has another), with no sign of another site or of a proxy.
 */
export function isFromThisMachine({ headers, socket }: Caller): boolean {
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

function isOwnHost(host: string, port: number | undefined): boolean {
  return LOOPBACK_NAMES.some((name) => host === `${name}:${port}` || (port === 80 && host === name));
}
