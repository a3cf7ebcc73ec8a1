import type { Facts } from '../language-of.js';

/** Slovak. */
export const slovak: Facts = {
  code: 'sk',
  numbers: { pointMarksOrdinals: true, minus: 'mínus', plus: 'plus', mark: 'celá', to: 'až', dot: 'bodka' },
  units: { by: 'za' },
};
