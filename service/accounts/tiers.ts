/**
 * The limits of each tier: requests and clones per minute (docs/interface.md#limits), and if the account may clone voices
 * (docs/interface.md#clone). The audio of a metered account costs credits.
 */
export const tiers = {
  free: { request: 20, clone: 10, mayClone: false, metered: true },
  starter: { request: 20, clone: 10, mayClone: true, metered: true },
  creator: { request: 30, clone: 10, mayClone: true, metered: true },
  pro: { request: 60, clone: 10, mayClone: true, metered: true },
  unlimited: { request: Infinity, clone: 10, mayClone: true, metered: false },
} as const;

export type Tier = keyof typeof tiers;

export const tierNames: readonly Tier[] = Object.keys(tiers).filter(isTier);

function isTier(name: string): name is Tier {
  return Object.hasOwn(tiers, name);
}
