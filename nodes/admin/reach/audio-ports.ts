/** "Let speakers in my network play this": opens an audio port before the next deploy (docs/decisions/0156). */
import type { NodeAPI } from 'node-red';
import { accountOf } from '../../account/account-node.js';
import { networkAddresses } from '../../output/urls/addresses.js';
import { audioPortAt, type PortPlace } from '../../output/urls/audio-server.js';
import type { BaseUrl } from '../../output/urls/base-url.js';
import { isAnyAddress, listenerOf } from '../../output/urls/listener.js';
import { openUntilDeploy } from '../../output/urls/ports-until-deploy.js';
import { portError } from '../../output/urls/try-port.js';
import { savedAccount } from '../endpoint/target.js';
import { type EditedPlayers, settingsProblem } from './players.js';

/** An audio port that would solve the problems of a base URL. */
export interface PortOffer extends PortPlace {
  /** The addresses of this computer at which speakers reach the port. */
  addresses: string[];
}

/** The problems that an audio port solves. */
const SOLVED: ReadonlySet<string> = new Set(['loopback', 'ui-host', 'login', 'self-signed', 'port-failed']);
/** Number of ports to try. */
const MAX_TRIES = 50;

/**
 * Returns the port to offer. A typed base URL has priority over an audio port, so there is no offer beside it. Invalid settings have no
 * offer either.
 */
export async function portOffer(
  RED: NodeAPI,
  { from, problems }: BaseUrl,
  edited: EditedPlayers,
): Promise<PortOffer | undefined> {
  if (settingsProblem(edited) !== undefined) return undefined;
  const { audioPort, audioHost = '' } = edited;
  if (from !== 'found' || !problems.some(({ code }) => SOLVED.has(code))) return undefined;
  const host = audioHost.trim();
  const addresses = networkAddresses()
    .filter(({ kind }) => kind === 'lan' || kind === 'vpn')
    .filter(({ family }) => family === 'IPv4' || host !== '0.0.0.0')
    .map(({ address }) => address)
    .filter((address) => isAnyAddress(host) || address === host);
  // Speakers do not reach the address that the account names. Another address would be less restricted than the user wants.
  if (!isAnyAddress(host) && addresses.length === 0) return undefined;
  const port = await freePort(Number(audioPort) || listenerOf(RED).port + 1, host);
  if (port === undefined) return undefined;
  return { port, host, addresses };
}

/** Returns the first port from `start` that is free, or that another account serves audio at. */
async function freePort(start: number, host: string): Promise<number | undefined> {
  for (let port = start; port < Math.min(start + MAX_TRIES, 65_536); port += 1)
    if (audioPortAt({ host, port }).problem === undefined || (await portError({ host, port })) === undefined)
      return port;
  return undefined;
}

/**
 * Opens the audio port of an account until the next deploy, which opens the port of the saved account.
 * @throws SpeechError `not-configured` if the port cannot open
 */
export async function openAudioPort(RED: NodeAPI, account: string, place: PortPlace): Promise<void> {
  if (savedAccount(RED, account) === undefined) await openUntilDeploy(RED, account, place);
  else await accountOf(RED, account).openPort?.(place);
}
