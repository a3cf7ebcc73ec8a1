import type { Text } from '@herald-speech/client';
import type { NodeAPI } from 'node-red';
import { networkAddresses } from './addresses.js';

/** The running audio port of an account. */
export interface AudioPort {
  /** The TCP port. */
  readonly port: number;
  /** An address of this computer, or '' for all. */
  readonly host: string;
  /** The reason for which the port serves nothing, such as a port in use. */
  readonly problem: Text | undefined;
  /** The base URL that the account sets for all its nodes, or ''. */
  readonly baseUrl: string;
}

/** The start of the URLs of audio. */
export interface BaseUrl {
  /** Without the path of the audio, and without a slash at the end. */
  url: string;
  from: 'node' | 'account' | 'audio-port' | 'found';
  problems: readonly BaseUrlProblem[];
}

/** A reason for which players may not reach the audio. */
export interface BaseUrlProblem {
  code:
    | 'loopback'
    | 'container'
    | 'add-on'
    | 'login'
    | 'ui-host'
    | 'no-network'
    | 'link-local'
    | 'unknown-host'
    | 'self-signed'
    | 'port-failed';
  /** The cause and the fix. */
  text: Text;
  /** True if the URL cannot work from another device. */
  isCertain: boolean;
}

/**
 * Returns the base URL of a node.
 * @param saved the base URL of the node or the message
 * @param audioPort the audio port of its account
 */
export function baseUrlOf(
  RED: NodeAPI,
  saved: { base_url?: string | undefined },
  audioPort?: AudioPort,
): BaseUrl {
  const { settings } = RED;
  const { base_url = audioPort?.baseUrl ?? '' } = saved;
  const [lan] = networkAddresses().filter(({ kind, family }) => kind === 'lan' && family === 'IPv4');
  const found = `http://${lan?.address ?? '127.0.0.1'}:${settings.uiPort ?? 1880}${settings.httpNodeRoot || ''}`;
  return { url: (base_url || found).replace(/\/+$/, ''), from: base_url ? 'node' : 'found', problems: [] };
}
