import { type Facts, noun } from '../language-of.js';

/** Dutch. */
export const dutch: Facts = {
  code: 'nl',
  numbers: { minus: 'min', plus: 'plus', mark: 'komma', to: 'tot', dot: 'punt' },
  units: { by: 'per' },
  money: { and: 'en', cents: { EUR: noun('cent') }, units: { EUR: noun('euro') } },
};
