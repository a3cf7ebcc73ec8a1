/** Groups of Snapcast players. An address has a host, a port and the id of a group: `192.168.1.7:1705/4dcc4e3b`. */
import { limitedTo } from '@herald-speech/client/abort';
import { concurrently } from '../base/concurrently.js';
import { socketOf } from '../base/socket-address.js';
import { services } from '@herald-speech/client/zeroconf';
import type { FoundSpeaker, Kind } from '../kind.js';
import { BUFFER, SnapcastGroup } from './device.js';
import { CONTROL_PORT, SnapcastControl } from './rpc.js';
import { statusIn } from './status.js';

/** Milliseconds for the list of groups of a server. */
const REPLY_MS = 3000;

export const snapcast: Kind = {
  takesSamples: true,
  delay: BUFFER * 1000,
  find: (signal) =>
    concurrently(
      (until) => services('snapcast-jsonrpc', until),
      ({ address }, until) => groupsAt(address, limitedTo(REPLY_MS, until)),
      signal,
    ),
  async connect({ address }, signal) {
    const { host, port, group } = partsOf(address);
    return new SnapcastGroup(await SnapcastControl.open(host, port, signal), host, group);
  },
};

/** Returns the groups of a found server. @param address with a port; an IPv6 address has brackets */
export async function groupsAt(address: string, signal: AbortSignal): Promise<FoundSpeaker[]> {
  const { host, port } = partsOf(address);
  const control = await SnapcastControl.open(host, port, signal);
  try {
    const { groups } = statusIn(await control.ask('Server.GetStatus'));
    return groups.map(({ id, name }) => ({ name, id, address: `${address}/${id}` }));
  } finally {
    control.close();
  }
}

function partsOf(address: string): { host: string; port: number; group: string } {
  const [, server = address, group = ''] = /^([^/]*)(?:\/(.*))?$/.exec(address) ?? [];
  return { ...socketOf(server, CONTROL_PORT), group };
}
