import type { Facts } from '../language-of.js';

/** Czech. */
export const czech: Facts = {
  code: 'cs',
  numbers: { pointMarksOrdinals: true, minus: 'minus', plus: 'plus', mark: 'celá', to: 'až', dot: 'tečka' },
  units: { by: 'za' },
};
