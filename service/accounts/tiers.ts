/**
 * What an account may do, by tier. Requests a minute as in docs/interface.md#limits; clones a
 * minute and the Free tier's lack of them as in docs/interface.md#clone. `metered`: audio is paid for with credits.
 */
export const tiers = {
  free: { request: 20, clone: 10, mayClone: false, metered: true },
  starter: { request: 20, clone: 10, mayClone: true, metered: true },
  creator: { request: 30, clone: 10, mayClone: true, metered: true },
  pro: { request: 60, clone: 10, mayClone: true, metered: true },
  unlimited: { request: Infinity, clone: 10, mayClone: true, metered: false },
} as const;

export type Tier = keyof typeof tiers;

export const tierNames = [
  'free',
  'starter',
  'creator',
  'pro',
  'unlimited',
] as const satisfies readonly Tier[];
