import { unreachable } from '../fault.js';

const MAX_PORT = 65_535;

/**
 * Reads an address such as `192.168.1.7`, `player:6600` or `[fe80::1]:6600`.
 * @throws SpeakerFault `speaker-unreachable` for a port above 65535: an imported flow may contain any text
 */
export function socketOf(address: string, defaultPort: number): { host: string; port: number } {
  const [, host = address, port = defaultPort] = /^\[?(.*?)\]?(?::(\d+))?$/.exec(address) ?? [];
  if (Number(port) > MAX_PORT) throw unreachable(new Error(`"${address}" is not a valid address`));
  return { host, port: Number(port) };
}
