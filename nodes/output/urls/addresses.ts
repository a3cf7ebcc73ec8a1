import { BlockList, isIP } from 'node:net';
import { type Environment, environmentOfProcess } from './environment.js';

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

/** Kinds in the order in which they suit players. */
const KINDS = ['lan', 'vpn', 'container', 'link-local', 'loopback'] as const;

/** Interfaces of bridges and virtual machines on a host: only containers and machines behind them reach the address. */
const VIRTUAL =
  /^(docker|br-[0-9a-f]{12}$|veth|cni|flannel|cali|podman|lxcbr|lxdbr|virbr|vmnet|vboxnet|hassio|bridge1\d\d$|vEthernet \((WSL|Default Switch))/;
const VPN = /^(tun|tap|wg|tailscale|zt|ppp|utun|ipsec|nordlynx)/;
/** Interfaces that only a host has. A container with one of them uses the network of its host. */
const HOST = /^(docker|br-|hassio|cni|podman|en|wl)/;

const blockOf = (...networks: [address: string, prefix: number, family?: 'ipv6'][]): BlockList => {
  const list = new BlockList();
  for (const [address, prefix, family = 'ipv4'] of networks) list.addSubnet(address, prefix, family);
  return list;
};

const LOOPBACK = blockOf(['127.0.0.0', 8], ['::1', 128, 'ipv6']);
const LINK_LOCAL = blockOf(['169.254.0.0', 16], ['fe80::', 10, 'ipv6']);
/** The address space that carriers and overlay networks share (RFC 6598). */
const SHARED = blockOf(['100.64.0.0', 10]);
/** The default networks of Docker and WSL, Podman, slirp4netns, and common networks of pods. */
const CONTAINER = blockOf(
  ['172.16.0.0', 12],
  ['10.88.0.0', 16],
  ['10.0.2.0', 24],
  ['10.42.0.0', 16],
  ['10.244.0.0', 16],
);

const isIn = (list: BlockList, address: string): boolean =>
  isIP(address) !== 0 && list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

export const isLoopback = (address: string): boolean => isIn(LOOPBACK, address);
export const isLinkLocal = (address: string): boolean => isIn(LINK_LOCAL, address);

/** Returns the addresses of this computer. The first one suits players best. */
export function networkAddresses(environment = environmentOfProcess()): NetworkAddress[] {
  const all = Object.entries(environment.interfaces).flatMap(([name, addresses = []]) =>
    addresses.map(({ address, family, cidr, internal }): NetworkAddress => {
      const kind = internal || isLoopback(address) ? 'loopback' : kindOf(name, address, environment);
      return { address, family, interface: name, network: networkOf(cidr ?? address), kind };
    }),
  );
  const rank = ({ kind, family, interface: name }: NetworkAddress) => [
    KINDS.indexOf(kind),
    family === 'IPv4' ? 0 : 1,
    name === environment.defaultInterface ? 0 : 1,
  ];
  return all
    .map((address) => ({ address, rank: rank(address) }))
    .sort(
      (a, b) => a.rank.map((value, index) => value - (b.rank[index] ?? 0)).find((diff) => diff !== 0) ?? 0,
    )
    .map(({ address }) => address);
}

function kindOf(name: string, address: string, environment: Environment): NetworkAddress['kind'] {
  if (isLinkLocal(address)) return 'link-local';
  if (VIRTUAL.test(name) || isInside(name, address, environment)) return 'container';
  return VPN.test(name) || isIn(SHARED, address) ? 'vpn' : 'lan';
}

/** Whether an address belongs to the network inside a container, a pod or WSL. */
function isInside(name: string, address: string, environment: Environment): boolean {
  const { isContainer, isKubernetes, isWsl, interfaces } = environment;
  if (!(isContainer || isKubernetes || isWsl) || !/^(eth|tap)\d+$/.test(name)) return false;
  if (isKubernetes) return true;
  const isHostNetwork = isContainer && Object.keys(interfaces).some((other) => HOST.test(other));
  return !isHostNetwork && isIn(CONTAINER, address);
}

/** Returns the network of an address with a prefix length: `192.168.1.0/24` for `192.168.1.7/24`. */
function networkOf(cidr: string): string {
  const [address = '', prefix = ''] = cidr.split('/');
  if (isIP(address) !== 4) return cidr;
  const bits = Number(prefix || 32);
  const value = address.split('.').reduce((sum, byte) => sum * 256 + Number(byte), 0);
  const first = value - (value % 2 ** (32 - bits));
  return `${[24, 16, 8, 0].map((shift) => Math.floor(first / 2 ** shift) % 256).join('.')}/${bits}`;
}
