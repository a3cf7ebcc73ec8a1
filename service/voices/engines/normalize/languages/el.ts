import type { Facts } from '../language-of.js';

/** Greek. */
export const greek: Facts = {
  code: 'el',
  script: '\\p{Script=Greek}',
  numbers: { minus: 'μείον', plus: 'συν', mark: 'κόμμα', to: 'έως', dot: 'τελεία' },
  units: { by: 'ανά' },
};
