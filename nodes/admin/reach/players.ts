import { SpeechError, type Text } from '@herald-speech/client';
import type { NodeAPI } from 'node-red';
import { accountOf } from '../../account/account-node.js';
import { playerDefaults, playerSettingsOf } from '../../account/players.js';
import { audioPortAt } from '../../output/urls/audio-server.js';
import type { PlayerAccess } from '../../output/urls/base-url.js';
import { anyPortUntilDeploy } from '../../output/urls/ports-until-deploy.js';
import { savedAccount } from '../endpoint/target.js';

/** In place of the id of an account: any account whose audio port the editor has opened since the last deploy. */
const ANY_ACCOUNT = '*';

/** The id of an account in the editor, and its settings for players as edited. */
export type EditedPlayers = { [Name in keyof typeof playerDefaults | 'account']?: string | undefined };

/**
 * Returns the settings of an account for players: the ones of the editor if they differ from the deployed ones.
 * @returns undefined without an account, and for invalid settings
 */
export function playersOf(RED: NodeAPI, edited: EditedPlayers): PlayerAccess | undefined {
  if (edited.account === ANY_ACCOUNT) return { baseUrl: '', port: anyPortUntilDeploy() };
  try {
    if (!isEdited(RED, edited))
      return edited.account ? accountOf(RED, edited.account).players?.() : undefined;
    const { audioBaseUrl: baseUrl, audioPort: port, audioHost: host } = playerSettingsOf(edited);
    return { baseUrl, port: port === undefined ? undefined : audioPortAt({ host, port }) };
  } catch (error) {
    if (error instanceof SpeechError) return undefined;
    throw error;
  }
}

/** Whether a setting differs from the deployed account. Beside any account, players get no setting of the editor. */
export function isEdited(RED: NodeAPI, edited: EditedPlayers): boolean {
  if (edited.account === ANY_ACCOUNT) return false;
  const saved = savedAccount(RED, edited.account) ?? (() => '');
  const settings = Object.entries(edited).filter(([name]) => Object.hasOwn(playerDefaults, name));
  return settings.some(([name, value = '']) => value.trim() !== saved(name));
}

/** Returns the problem of invalid settings of the editor: the field, its value and the rule. */
export function settingsProblem(edited: EditedPlayers): Text | undefined {
  try {
    playerSettingsOf(edited);
    return undefined;
  } catch (error) {
    if (error instanceof SpeechError) return error.text;
    throw error;
  }
}
