import type { Facts } from '../language-of.js';

/** Turkish. */
export const turkish: Facts = {
  code: 'tr',
  numbers: { pointMarksOrdinals: true, minus: 'eksi', plus: 'artı', mark: 'virgül', to: 'ila', dot: 'nokta' },
  units: { by: 'bölü' },
};
