import type { Facts } from '../language-of.js';

/** Bulgarian. */
export const bulgarian: Facts = {
  code: 'bg',
  script: '\\p{Script=Cyrillic}',
  numbers: { minus: 'минус', plus: 'плюс', mark: 'запетая', to: 'до', dot: 'точка' },
  units: { by: 'в' },
};
