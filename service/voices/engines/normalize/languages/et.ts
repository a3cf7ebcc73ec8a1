import { spellOut } from '../spell-out.js';
import type { Facts } from '../language-of.js';

/** Estonian. */
export const estonian: Facts = {
  code: 'et',
  numbers: {
    year: (value) => spellOut('et', '%spellout-numbering', value),
    pointMarksOrdinals: true,
    minus: 'miinus',
    plus: 'pluss',
    mark: 'koma',
    to: 'kuni',
    dot: 'punkt',
  },
  units: { by: '' },
};
