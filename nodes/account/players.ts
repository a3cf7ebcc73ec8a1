import { isIP } from 'node:net';
import { lazy, rule, SpeechError, type Text, z } from '@herald-speech/client';
import type { Node, NodeAPI } from 'node-red';
import { type AudioPortInUse, type PortPlace, useAudioServer } from '../output/urls/audio-server.js';
import type { PlayerAccess } from '../output/urls/base-url.js';
import { openUntilDeploy, portUntilDeploy } from '../output/urls/ports-until-deploy.js';
import { localize } from '../runtime/localize.js';
import { say } from '../runtime/messages.js';
import { trimmedText } from './services.js';
import { configured, savedNumber } from './limits.js';

/** The settings of a new account for players that fetch audio. */
export const playerDefaults = {
  /** The base URL of all nodes with this account; blank for an address that Herald finds. */
  audioBaseUrl: '',
  /** The number of the audio port; blank for no such port. */
  audioPort: '',
  /** The address of this computer at which the audio port listens; blank for all addresses. */
  audioHost: '',
};

/** A saved flow is unchecked input. */
export type SavedPlayers = Partial<Record<keyof typeof playerDefaults, unknown>>;

const schema = lazy(() =>
  z.object({
    audioBaseUrl: z
      .string()
      .refine((text) => text === '' || isBaseUrl(text), { message: rule(say('rule-base-url')) }),
    audioPort: z.preprocess(
      savedNumber,
      z
        .unknown()
        .refine((port) => port === undefined || isPort(port), { message: rule(say('rule-port')) })
        .transform((port) => (typeof port === 'number' ? port : undefined)),
    ),
    audioHost: z
      .string()
      .refine((text) => text === '' || isIP(text) !== 0, { message: rule(say('rule-address')) }),
  }),
);

/** Whether a value is the number of a port. */
export const isPort = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 65_535;

/** Whether a text is the start of URLs. A user name or a password would reach each player, and its logs. */
function isBaseUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && [username, password, search, hash].every((part) => part === '');
}

/** Returns the settings for players. @throws SpeechError `not-configured` */
export function playerSettingsOf({ audioBaseUrl, audioPort, audioHost }: SavedPlayers) {
  const texts = { audioBaseUrl: trimmedText(audioBaseUrl), audioHost: trimmedText(audioHost) };
  return configured(schema(), { ...texts, audioPort: audioPort ?? '' });
}

/** The access of players to the audio of an account, until its close. */
interface PlayersInUse {
  /** @throws SpeechError `not-configured` for invalid settings */
  players(): PlayerAccess;
  /** Opens an audio port in place of the saved one until the next deploy. @throws SpeechError `not-configured` if it cannot open */
  openPort(place: PortPlace): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the audio port of an account, if it has one. Invalid settings fail each message with a URL, not the deploy. The log
 * shows them, and a port that cannot open.
 */
export function openPlayers(RED: NodeAPI, node: Node, account: string, saved: SavedPlayers): PlayersInUse {
  const warn = (problem: Text) => node.warn(localize(RED, say('audio-port-warning', { account, problem })));
  const report = (port: number) => (problem: Text | undefined) => {
    if (problem !== undefined) warn(problem);
    else node.log(localize(RED, say('audio-port-open', { account, port })));
  };
  let inUse: AudioPortInUse | undefined;
  let players: () => PlayerAccess;
  try {
    const { audioBaseUrl: baseUrl, audioPort: port, audioHost: host } = playerSettingsOf(saved);
    inUse = port === undefined ? undefined : useAudioServer(RED, { host, port }, report(port));
    players = () => ({ baseUrl, port: portUntilDeploy(node.id) ?? inUse });
  } catch (error) {
    if (!(error instanceof SpeechError)) throw error;
    if (error.text !== undefined) warn(error.text);
    players = () => {
      throw error;
    };
  }
  return {
    players,
    openPort: (place) => openUntilDeploy(RED, node.id, place, report(place.port)),
    close: async () => inUse?.release(),
  };
}
