/** The types of base URLs, their problems, and the settings of an account for players. */
import type { Text } from '@herald-speech/client';

/** The running audio port of an account. */
export interface AudioPort {
  /** The TCP port. */
  readonly port: number;
  /** An address of this computer, or '' for all. */
  readonly host: string;
  /** The reason for which the port serves nothing, such as a port in use. */
  readonly problem: Text | undefined;
  /** Resolves when the port serves audio or has a problem. */
  ready(): Promise<void>;
}

/** The settings of an account for players. */
export interface PlayerAccess {
  /** The base URL that the account sets for all its nodes, or ''. */
  readonly baseUrl: string;
  readonly port: AudioPort | undefined;
}

/** The start of the URLs of audio. */
export interface BaseUrl {
  /** Without the path of the audio, and without a slash at the end. */
  url: string;
  /** The source of the URL: the node or its message, the account, the account's audio port, or the network of this computer. */
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
    | 'scheme'
    | 'port'
    | 'root'
    | 'port-failed';
  /** The cause and the fix. */
  text: Text;
  /** True if the URL cannot work from another device. */
  isCertain: boolean;
}
