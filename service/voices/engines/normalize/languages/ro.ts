import type { Facts } from '../language-of.js';

/** Romanian. */
export const romanian: Facts = {
  code: 'ro',
  numbers: { minus: 'minus', plus: 'plus', mark: 'virgulă', to: 'până la', dot: 'punct' },
  units: { by: 'pe' },
};
