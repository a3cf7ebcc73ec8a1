import { messages, rounded, SpeechError, textsOf } from '@herald-speech/client';
import type { Account } from '../../account/account-node.js';
import { say } from '../../runtime/messages.js';
import type { PromptPlan } from '../files/plan.js';

const clientText = textsOf(messages);

/**
 * Checks that the budget of the account covers the estimated seconds of a plan today and this month.
 * @throws SpeechError `over-budget` with the figures of the limit with the smallest rest
 */
export async function checkBudget(
  account: Pick<Account, 'budgetUse'>,
  { seconds, credits }: Pick<PromptPlan, 'seconds' | 'credits'>,
): Promise<void> {
  const { unit, limits } = (await account.budgetUse?.()) ?? { unit: 'seconds', limits: [] };
  const needed = rounded(unit === 'credits' ? (credits ?? 0) : seconds);
  const [tightest] = limits.toSorted((one, other) => one.limit - one.used - (other.limit - other.used));
  if (tightest === undefined) return;
  const { per, limit, used, resets } = tightest;
  const left = rounded(Math.max(0, limit - used));
  if (needed <= left) return;
  const message = say('prompts-over-budget', { needed, left, unit: clientText(`unit-${unit}`) });
  throw new SpeechError('over-budget', message, { budget: { per, limit, used, resets, unit, needed } });
}
