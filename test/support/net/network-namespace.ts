import { execFileSync, spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { spawned } from '../spawned.js';

/** A separate network with one interface, connected with this computer by a cable, as a speaker in a LAN is. */
export interface NetworkNamespace {
  /** The address of this computer, as programs inside see it. */
  readonly host: string;
  /** The interface of this computer, such as `hd1234a`. */
  readonly hostInterface: string;
  /** The address of programs inside. */
  readonly inside: string;
  /** The interface inside. */
  readonly interface: string;
  /** Starts a program inside. The caller must end it before `close`. */
  start(command: string, args: readonly string[], options?: SpawnOptions): ChildProcess;
  /** Cuts the cable: packets get lost without a sign, as after a power cut. */
  cut(): void;
  /** Mends the cable. */
  mend(): void;
  /** Removes both interfaces and the namespace. */
  close(): void;
}

/**
 * Creates a network namespace. Programs inside have other loopback addresses than this computer.
 * @throws Error if the process does not run as root, or if the Debian package `iproute2` or `util-linux` is missing
 */
export function networkNamespace(): NetworkNamespace {
  const name = `herald-${process.pid}`;
  const [hostInterface, inner] = [`hd${process.pid}a`, `hd${process.pid}b`];
  // A network of four addresses for each process.
  const network = `10.213.${(process.pid >> 6) & 255}`;
  const first = (process.pid & 63) * 4;
  const [host, inside] = [`${network}.${first + 1}`, `${network}.${first + 2}`];
  // `ip -n` and `ip netns exec` mount folders, which fails in a system without a mounted root folder.
  const entry = `--net=/run/netns/${name}`;
  const ipInside = (...args: string[]) => run('nsenter', entry, 'ip', ...args);
  const close = () => ip('netns', 'delete', name);
  const mend = () => {
    ipInside('link', 'set', inner, 'up');
    ipInside('route', 'replace', '224.0.0.0/4', 'dev', inner);
  };
  ip('netns', 'add', name);
  try {
    ip('link', 'add', hostInterface, 'type', 'veth', 'peer', 'name', inner, 'netns', name);
    ip('address', 'add', `${host}/30`, 'dev', hostInterface);
    ip('link', 'set', hostInterface, 'up');
    ipInside('address', 'add', `${inside}/30`, 'dev', inner);
    ipInside('link', 'set', 'lo', 'up');
    mend();
  } catch (error) {
    close();
    throw error;
  }
  return {
    host,
    hostInterface,
    inside,
    interface: inner,
    start: (command, args, options = {}) =>
      spawned(spawn('nsenter', [entry, command, ...args], options), 'util-linux'),
    cut: () => ipInside('link', 'set', inner, 'down'),
    mend,
    close,
  };
}

const ip = (...args: string[]) => run('ip', ...args);

function run(command: string, ...args: string[]): void {
  try {
    execFileSync(command, args, { stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' });
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    throw new Error(`A network namespace needs root, iproute2 and util-linux: ${problem}`, { cause: error });
  }
}
