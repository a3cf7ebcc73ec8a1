import type { Facts } from '../language-of.js';

/** Finnish. */
export const finnish: Facts = {
  code: 'fi',
  numbers: {
    pointMarksOrdinals: true,
    minus: 'miinus',
    plus: 'plus',
    mark: 'pilkku',
    to: 'viiva',
    dot: 'piste',
  },
  units: { by: 'per' },
};
