import type { Facts } from '../language-of.js';

/** Danish. */
export const danish: Facts = {
  code: 'da',
  numbers: { minus: 'minus', plus: 'plus', mark: 'komma', to: 'til', dot: 'punktum' },
  units: { by: 'per' },
};
