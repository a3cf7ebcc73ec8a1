import { spellOut } from '../spell-out.js';
import type { Facts } from '../language-of.js';

/** Lithuanian. */
export const lithuanian: Facts = {
  code: 'lt',
  numbers: {
    year: (value) => spellOut('lt', '%spellout-numbering', value),
    minus: 'minus',
    plus: 'plius',
    mark: 'kablelis',
    to: 'iki',
    dot: 'taškas',
  },
  forms: [
    {
      pattern: /(?<![\p{L}\p{N}.,])(?<year>[12]\d{3}) m\.(?!\p{L})/gu,
      words: ({ year }) =>
        `${spellOut('lt', '%spellout-numbering-year', Number(year)).replace('tūkstantai', 'tūkstančiai')} metų`,
    },
  ],
  units: { by: 'per' },
};
