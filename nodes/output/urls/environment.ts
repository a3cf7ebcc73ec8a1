import { existsSync, readFileSync } from 'node:fs';
import { type NetworkInterfaceInfo, networkInterfaces, release } from 'node:os';

/** Facts about the computer, the container and the network in which Node-RED runs. */
export interface Environment {
  /** The addresses by network interface, as `os.networkInterfaces` returns them. */
  interfaces: NodeJS.Dict<NetworkInterfaceInfo[]>;
  /** The network interface of the default route, if the system names it. */
  defaultInterface?: string | undefined;
  /** Docker, Podman and containerd. A system container such as LXC has addresses of its network and does not count. */
  isContainer: boolean;
  isKubernetes: boolean;
  /** Windows Subsystem for Linux. */
  isWsl: boolean;
  /** Set inside an add-on of Home Assistant. */
  addOn?: { isSecure: boolean } | undefined;
}

/** Returns the facts about this process. Reads the addresses anew, because they can change. */
export function environmentOfProcess(): Environment {
  lasting ??= lastingFacts();
  return { ...lasting, interfaces: networkInterfaces(), defaultInterface: defaultInterface() };
}

let lasting: Omit<Environment, 'interfaces'> | undefined;

function lastingFacts(): Omit<Environment, 'interfaces'> {
  const { env } = process;
  return {
    isContainer:
      ['/.dockerenv', '/run/.containerenv'].some((file) => existsSync(file)) ||
      /docker|containerd|kubepods|libpod/.test(textOf('/proc/1/cgroup')),
    isKubernetes: env['KUBERNETES_SERVICE_HOST'] !== undefined,
    isWsl: env['WSL_DISTRO_NAME'] !== undefined || /microsoft/i.test(release()),
    addOn: env['SUPERVISOR_TOKEN'] === undefined ? undefined : { isSecure: isSecureAddOn() },
  };
}

/** Returns whether the add-on serves https: its option `ssl`, which is on by default. */
const isSecureAddOn = (): boolean => !/"ssl"\s*:\s*false/.test(textOf('/data/options.json'));

/** Returns the interface of the default route of Linux: a line of `/proc/net/route` with the destination 0. */
function defaultInterface(): string | undefined {
  return /^(\S+)\t00000000\t/m.exec(textOf('/proc/net/route'))?.[1];
}

/** Returns the text of a small file, or '' if the system does not have it. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
