import path from 'node:path';
import { type Budget, createBudget } from '@herald-speech/client';
import type { NodeAPI } from 'node-red';
import { localize } from '../runtime/localize.js';
import { say } from '../runtime/messages.js';
import { dataFolder } from './connection.js';
import { budgetLimitsOf, type SavedSpeech } from './settings.js';

/**
 * Returns the budget of an account, with the use of today in a file of the data folder. Undefined without limits.
 * @param account the id of the node, which names the file, and its name in the log
 * @throws SpeechError `not-configured` for invalid limits, or without a data folder
 */
export function budgetOf(
  RED: NodeAPI,
  account: { id: string; name: string },
  saved: SavedSpeech,
): Budget | undefined {
  const limits = budgetLimitsOf(saved);
  if (limits === undefined) return undefined;
  const file = path.join(dataFolder(RED), 'budget', `${encodeURIComponent(account.id)}.json`);
  return createBudget({
    ...limits,
    file,
    warn(kind, damaged, error) {
      const problem = error instanceof Error ? error.message : String(error);
      const values = { account: account.name, file: damaged, problem };
      RED.log.warn(`[herald] ${localize(RED, say(`budget-${kind}`, values))}`);
    },
  });
}
