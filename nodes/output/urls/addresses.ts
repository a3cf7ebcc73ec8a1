import { networkInterfaces } from 'node:os';

/** An address of this computer. */
export interface NetworkAddress {
  address: string;
  family: 'IPv4' | 'IPv6';
  /** The name of the network interface, such as `eth0`. */
  interface: string;
  /** The network in CIDR notation, such as `192.168.1.0/24`. */
  network: string;
  kind: 'lan' | 'container' | 'vpn' | 'link-local' | 'loopback';
}

/** Returns the addresses of this computer, those that players most likely reach first. */
export function networkAddresses(): NetworkAddress[] {
  return Object.entries(networkInterfaces()).flatMap(([name, addresses = []]) =>
    addresses.map(({ address, family, internal, cidr }) => ({
      address,
      family,
      interface: name,
      network: cidr ?? address,
      kind: internal ? 'loopback' : 'lan',
    })),
  );
}
