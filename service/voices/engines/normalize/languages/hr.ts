import type { Facts } from '../language-of.js';

/** Croatian. */
export const croatian: Facts = {
  code: 'hr',
  numbers: { pointMarksOrdinals: true, minus: 'minus', plus: 'plus', mark: 'zarez', to: 'do', dot: 'točka' },
  units: { by: 'po' },
};
