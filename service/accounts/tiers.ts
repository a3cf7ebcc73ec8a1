/**
 * What an account may do, by tier. Requests a minute as in service-api.md, 8, and operations.md, Open points; clones a
 * minute and the Free tier's lack of them as in service-api.md, 4.2. `metered`: audio is paid for with credits.
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
