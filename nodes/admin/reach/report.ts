/** The base URL of a node with its problems, and the addresses of this computer. */
import type { NodeAPI } from 'node-red';
import { networkAddresses, type NetworkAddress } from '../../output/urls/addresses.js';
import { baseUrlOf, type BaseUrl, type BaseUrlProblem } from '../../output/urls/base-url.js';
import { isAnyAddress, listenerOf } from '../../output/urls/listener.js';
import { localize, type Translator } from '../../runtime/localize.js';
import { type PortOffer, portOffer } from './audio-ports.js';
import { type EditedPlayers, playersOf, settingsProblem } from './players.js';

/** The typed values that determine the base URL. */
export type TypedUrl = EditedPlayers & { base_url?: string | undefined };

/** An address of this computer as the dialog lists it. */
interface ListedAddress extends NetworkAddress {
  /** The base URL with this address; undefined if it cannot work from another device. */
  url: string | undefined;
  /** Whether the base URL in use has this address. */
  isUsed: boolean;
}

/** The reply of the endpoint `reach/addresses`. */
interface ReachReport {
  url: string;
  from: BaseUrl['from'];
  problems: { code: string; text: string; isCertain: boolean }[];
  addresses: ListedAddress[];
  /** For a base URL with the host of the editor: the audio port in use, and the path before all routes of nodes. */
  audioPort: number | undefined;
  root: string;
  /** The audio port that would solve the problems. */
  offer: PortOffer | undefined;
}

/**
 * Describes the reach of typed values in the language of the translator.
 * @param mayOpen whether the user may open an audio port
 */
export async function reachReport(
  RED: NodeAPI,
  { base_url, ...edited }: TypedUrl,
  translator: Translator,
  mayOpen: boolean,
): Promise<ReachReport> {
  const players = playersOf(RED, edited);
  const base = baseUrlOf(RED, { base_url }, players);
  const { url, from } = base;
  const invalid = settingsProblem(edited);
  const problems: readonly BaseUrlProblem[] =
    invalid === undefined
      ? base.problems
      : [{ code: 'port-failed', text: invalid, isCertain: true }, ...base.problems];
  const found = baseUrlOf(RED, {}, players && { ...players, baseUrl: '' });
  const port = found.from === 'audio-port' ? players?.port : undefined;
  const listener = listenerOf(RED);
  return {
    url,
    from,
    problems: problems.map(({ code, text, isCertain }) => ({
      code,
      text: localize(translator, text),
      isCertain,
    })),
    addresses: listAddresses(url, found.url, (port ?? listener).host),
    audioPort: port?.port,
    root: listener.root,
    offer: mayOpen ? await portOffer(RED, base, edited) : undefined,
  };
}

/**
 * Lists the addresses of this computer with their base URLs.
 * @param used the base URL in use
 * @param found the base URL without typed values, of which only the host changes
 * @param server the address of the server: only one address of this computer, or all
 */
export function listAddresses(
  used: string,
  found: string,
  server: string,
  addresses: readonly NetworkAddress[] = networkAddresses(),
): ListedAddress[] {
  const host = URL.canParse(used) ? new URL(used).hostname : '';
  return addresses.map((one) => {
    const isOpen = isAnyAddress(server) || server === one.address;
    const isReachable = isOpen && (one.kind === 'lan' || one.kind === 'vpn');
    const literal = one.family === 'IPv6' ? `[${one.address}]` : one.address;
    return { ...one, url: isReachable ? withHost(found, literal) : undefined, isUsed: host === literal };
  });
}

function withHost(base: string, host: string): string | undefined {
  if (!URL.canParse(base)) return undefined;
  const url = new URL(base);
  url.hostname = host;
  return url.href.replace(/(?<!\/)\/+$/, '');
}
