import type { NodeAPI } from 'node-red';
import { isLoopback, type NetworkAddress, networkAddresses } from './addresses.js';
import { environmentOfProcess } from './environment.js';
import { isAnyAddress, listenerOf, originOf } from './listener.js';
import type { AudioPort, BaseUrl, BaseUrlProblem, PlayerAccess } from './player-access.js';
import { urlProblems } from './url-problems.js';

export type { AudioPort, BaseUrl, BaseUrlProblem, PlayerAccess };

/** The port of the add-on "Node-RED" of Home Assistant, unless the user changes it. */
const ADD_ON_PORT = 1880;

/**
 * Returns the base URL of a node, and the problems that players have with it. The base URL of the node comes first, then the
 * base URL of the account, its audio port, and the address of Node-RED in the network (docs/decisions/0100).
 * @param saved the base URL of the node or the message
 * @param players the settings of its account
 */
export function baseUrlOf(
  RED: NodeAPI,
  { base_url }: { base_url?: string | undefined },
  players?: PlayerAccess,
  environment = environmentOfProcess(),
): BaseUrl {
  const addresses = networkAddresses(environment);
  const port = players?.port;
  const works = port?.problem === undefined ? port : undefined;
  const { from, url: start } = chosen(base_url, players?.baseUrl, works && portUrl(works, addresses)) ?? {
    from: 'found' as const,
    url: foundUrl(RED, addresses, environment.addOn),
  };
  const url = start.replace(/(?<!\/)\/+$/, '');
  const failed: BaseUrlProblem[] =
    port?.problem === undefined ? [] : [{ code: 'port-failed', text: port.problem, isCertain: true }];
  return {
    url,
    from,
    problems: [...failed, ...urlProblems(RED, { url, from, addresses, environment, port })],
  };
}

function chosen(
  ofNode: string | undefined,
  ofAccount: string | undefined,
  ofPort: string | undefined,
): Pick<BaseUrl, 'from' | 'url'> | undefined {
  if (ofNode) return { from: 'node', url: ofNode };
  if (ofAccount) return { from: 'account', url: ofAccount };
  return ofPort === undefined ? undefined : { from: 'audio-port', url: ofPort };
}

const portUrl = ({ host, port }: AudioPort, addresses: readonly NetworkAddress[]): string =>
  originOf({ scheme: 'http', host: isAnyAddress(host) ? bestOf(addresses, host) : host, port });

/** Returns the address of this Node-RED in the network, derived from its server, its settings and the network. */
function foundUrl(
  RED: NodeAPI,
  addresses: readonly NetworkAddress[],
  addOn: { isSecure: boolean } | undefined,
): string {
  const listener = listenerOf(RED);
  const { host, root } = listener;
  if (addOn !== undefined && isLoopback(host)) {
    // A proxy of the add-on listens in the network and passes the path of the audio without a login.
    const scheme = addOn.isSecure ? 'https' : 'http';
    return originOf({ scheme, host: bestOf(addresses, ''), port: ADD_ON_PORT }) + root;
  }
  return originOf({ ...listener, host: isAnyAddress(host) ? bestOf(addresses, host) : host }) + root;
}

/** Returns the address that suits players best. A server at `0.0.0.0` has only IPv4 addresses. */
function bestOf(addresses: readonly NetworkAddress[], host: string): string {
  const suitable = addresses.find(
    ({ kind, family }) =>
      kind !== 'loopback' && (family === 'IPv4' || (kind !== 'link-local' && host !== '0.0.0.0')),
  );
  return suitable?.address ?? '127.0.0.1';
}
