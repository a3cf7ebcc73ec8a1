/** An address and a port to listen on. */
export interface ListenAddress {
  host: string;
  port: number;
}

const LOOPBACK = '127.0.0.1';
const PLACE = /^(?:(?:\[(?<ipv6>[\da-fA-F:.]+)\]|(?<host>[^\s:[\]/]+)):)?(?<port>\d{1,5})$/;

/** Reads `PORT`, `HOST:PORT` or `[IPv6]:PORT`. Port 0 means any free port. The default host is 127.0.0.1. */
export function parseListenAddress(text: string): ListenAddress | undefined {
  const { ipv6, host = ipv6 ?? LOOPBACK, port } = PLACE.exec(text.trim())?.groups ?? {};
  const number = Number(port);
  return port !== undefined && number <= 65_535 ? { host, port: number } : undefined;
}
