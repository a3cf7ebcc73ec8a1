import type { Facts } from '../language-of.js';

/** Estonian. */
export const estonian: Facts = {
  code: 'et',
  numbers: { minus: 'miinus', plus: 'pluss', mark: 'koma', to: 'kuni', dot: 'punkt' },
  units: { by: '' },
};
