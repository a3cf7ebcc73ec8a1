import type { Facts } from '../language-of.js';

/** Indonesian. */
export const indonesian: Facts = {
  code: 'id',
  numbers: { minus: 'minus', plus: 'plus', mark: 'koma', to: 'sampai', dot: 'titik' },
  units: { by: 'per' },
};
