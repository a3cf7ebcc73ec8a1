import { spellOut } from '../spell-out.js';
import { electronicOf, type Facts, noun } from '../language-of.js';

/** Dutch. */
export const dutch: Facts = {
  code: 'nl',
  numbers: { minus: 'min', plus: 'plus', mark: 'komma', to: 'tot', dot: 'punt', equals: 'is' },
  units: { by: 'per' },
  times: {
    time: ({ hour, minute, second }) =>
      `${spellOut('nl', '%spellout-numbering', hour)} uur${minute === 0 ? '' : ` ${spellOut('nl', '%spellout-numbering', minute)}`}${second === 0 ? '' : ` en ${spellOut('nl', '%spellout-numbering', second)} ${second === 1 ? 'seconde' : 'seconden'}`}`,
    separator: '\\.(?=[0-5]\\d uur)',
    suffix: ' uur',
  },
  abbreviations: { 't/m': 'tot en met' },
  electronic: electronicOf('apenstaartje|punt|streepje|laag streepje|schuine streep|dubbele punt'),
  signs: {
    and: 'en',
    hashtag: 'hashtag',
    times: 'maal',
    divided: 'gedeeld door',
    plusMinus: 'plus-minus',
    by: 'bij',
    score: '',
  },
  forms: [
    {
      pattern: /(?<![\p{L}\p{N}.,/-])(?<value>[1-9]\d{0,3})(?:e|de|ste)(?![\p{L}\p{N}])/gu,
      words: ({ value }) => spellOut('nl', '%spellout-ordinal', Number(value)),
    },
  ],
  money: { and: 'en', cents: { EUR: noun('cent') }, units: { EUR: noun('euro') } },
};
