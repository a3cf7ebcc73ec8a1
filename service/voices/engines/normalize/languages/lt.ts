import type { Facts } from '../language-of.js';

/** Lithuanian. */
export const lithuanian: Facts = {
  code: 'lt',
  numbers: { minus: 'minus', plus: 'plius', mark: 'kablelis', to: 'iki', dot: 'taškas' },
  units: { by: 'per' },
};
