import type { Facts } from '../language-of.js';

/** Ukrainian. */
export const ukrainian: Facts = {
  code: 'uk',
  script: '\\p{Script=Cyrillic}',
  numbers: { minus: 'мінус', plus: 'плюс', mark: 'кома', to: 'до', dot: 'крапка' },
  units: { by: 'на' },
};
