/** The words of one node. */

/**
 * @param page the node's page: it says which fields and settings it has
 * @param shared words of all nodes
 * @param own the node's own words; they go before the shared ones
 */
export function pickLocale(
  page,
  { fields, settings, more, picker, preview, try: trial, trouble, ...common },
  own,
) {
  const used = Object.entries(fields).filter(([field]) => page.includes(`fields.${field}.`));
  const words = {
    ...(page.includes('heraldSpeech.prepareForm') && common),
    ...(page.includes('herald-more') && { more }),
    ...(/prepareAccount|data-voices|herald-preview/.test(page) && { picker, trouble }),
    ...(page.includes('herald-preview') && { preview }),
    ...(page.includes('herald-try') && { try: trial }),
    ...(used.length > 0 && { fields: Object.fromEntries(used) }),
    ...(page.includes('voiceSettings') && { settings }),
  };
  return merged(words, own);
}

function merged(base, over) {
  if (typeof base !== 'object' || typeof over !== 'object') return over;
  const changed = Object.entries(over).map(([key, value]) => [
    key,
    key in base ? merged(base[key], value) : value,
  ]);
  return { ...base, ...Object.fromEntries(changed) };
}
