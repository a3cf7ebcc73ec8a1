import { rounded, SpeechError } from '@herald-speech/client';
import type { Account } from '../../account/account-node.js';
import { say } from '../../runtime/messages.js';
import type { PromptPlan } from '../files/plan.js';

/**
 * Checks that the daily budget of the account covers the estimated seconds of a plan.
 * @throws SpeechError `over-budget` with the figures
 */
export async function checkBudget(
  account: Pick<Account, 'budgetUse' | 'service'>,
  { seconds, credits }: Pick<PromptPlan, 'seconds' | 'credits'>,
): Promise<void> {
  const { budgetPerDay: limit } = account.service();
  const use = await account.budgetUse?.();
  if (limit === undefined || use === undefined) return;
  const { used, unit } = use;
  const needed = rounded(unit === 'credits' ? (credits ?? 0) : seconds);
  const left = rounded(Math.max(0, limit - used));
  if (needed <= left) return;
  const budget = { per: 'day', unit, limit, used, needed, resets: undefined } as const;
  throw new SpeechError('over-budget', say('prompts-over-budget', { needed, left, unit }), { budget });
}
