import { BlockList, isIPv4 } from 'node:net';
import { networkInterfaces } from 'node:os';

/** An IPv4 address of this computer, with the addresses of its network. */
export interface Network {
  address: string;
  includes(other: string): boolean;
}

/** Returns the IPv4 networks of this computer. */
export const networks = (): Network[] =>
  Object.values(networkInterfaces()).flatMap((addresses = []) =>
    addresses
      .filter(({ family }) => family === 'IPv4')
      .map(({ address, cidr }) => ({ address, includes: membersOf(cidr ?? `${address}/32`) })),
  );

function membersOf(cidr: string): (other: string) => boolean {
  const [address = '', prefix] = cidr.split('/');
  const members = new BlockList();
  members.addSubnet(address, Number(prefix));
  return (other) => isIPv4(other) && members.check(other);
}
