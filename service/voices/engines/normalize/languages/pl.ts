import type { Facts } from '../language-of.js';

/** Polish. */
export const polish: Facts = {
  code: 'pl',
  numbers: { minus: 'minus', plus: 'plus', mark: 'przecinek', to: 'do', dot: 'kropka' },
  units: { by: 'na' },
};
