import { spellOut } from '../spell-out.js';
import { type Facts, noun } from '../language-of.js';

/** Dutch. */
export const dutch: Facts = {
  code: 'nl',
  numbers: { minus: 'min', plus: 'plus', mark: 'komma', to: 'tot', dot: 'punt' },
  units: { by: 'per' },
  times: {
    time: ({ hour, minute }) =>
      `${spellOut('nl', '%spellout-numbering', hour)} uur${minute === 0 ? '' : ` ${spellOut('nl', '%spellout-numbering', minute)}`}`,
    separator: '\\.(?=[0-5]\\d uur)',
    suffix: ' uur',
  },
  money: { and: 'en', cents: { EUR: noun('cent') }, units: { EUR: noun('euro') } },
};
