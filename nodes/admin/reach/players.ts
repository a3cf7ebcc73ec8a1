import { SpeechError } from '@herald-speech/client';
import type { NodeAPI } from 'node-red';
import { accountOf } from '../../account/account-node.js';
import type { PlayerAccess } from '../../output/urls/base-url.js';

/** Returns the deployed settings of an account for players; undefined without a deployed or valid account. */
export function playersOf(RED: NodeAPI, account: string | undefined): PlayerAccess | undefined {
  if (!account) return undefined;
  try {
    return accountOf(RED, account).players?.();
  } catch (error) {
    if (error instanceof SpeechError) return undefined;
    throw error;
  }
}
