import type { NodeAPI } from 'node-red';
import { serve } from './endpoint.js';
import { sample } from './sample.js';
import { speak } from './speak.js';
import { tryAccount } from './try-account.js';
import { voices } from './voices.js';
import { type AccountOpener, Ways } from './ways.js';

/**
 * Serves what the dialogs ask of an account's service. To be called once, as the account's type is registered.
 * @param opener opens the way of an account that is not deployed
 */
export function registerAdmin(RED: NodeAPI, opener: AccountOpener): void {
  const ways = new Ways(RED, opener);
  serve(RED, ways, tryAccount);
  serve(RED, ways, voices);
  serve(RED, ways, sample);
  serve(RED, ways, speak);
}
