import { spellOut } from '../spell-out.js';
import { electronicOf, type Facts, noun } from '../language-of.js';

const RULERS =
  'Willem|Lodewijk|Karel|Filips|Hendrik|Napoleon|Johannes Paulus|Benedictus|Pius|Elizabeth|Frederik|Catharina|Alexander';

/** Dutch. */
export const facts: Facts = {
  code: 'nl',
  numbers: { minus: 'min', plus: 'plus', mark: 'komma', to: 'tot', dot: 'punt', equals: 'is' },
  units: { by: 'per' },
  times: {
    time: ({ hour, minute, second }) =>
      `${spellOut('nl', '%spellout-numbering', hour)} uur${minute === 0 ? '' : ` ${spellOut('nl', '%spellout-numbering', minute)}`}${second === 0 ? '' : ` en ${spellOut('nl', '%spellout-numbering', second)} ${second === 1 ? 'seconde' : 'seconden'}`}`,
    separator: '\\.(?=[0-5]\\d uur)',
    suffix: ' uur',
  },
  abbreviations: {
    't/m': 'tot en met',
    'bijv.': 'bijvoorbeeld',
    'bv.': 'bijvoorbeeld',
    'd.w.z.': 'dat wil zeggen',
    'o.a.': 'onder andere',
    'enz.': 'enzovoort',
    'etc.': 'et cetera',
    'm.b.t.': 'met betrekking tot',
    't.a.v.': 'ter attentie van',
    'i.v.m.': 'in verband met',
    'a.u.b.': 'alstublieft',
    's.v.p.': 'alstublieft',
    'dhr.': 'de heer',
    'mevr.': 'mevrouw',
    'mw.': 'mevrouw',
    'dr.': 'doctor',
    'prof.': 'professor',
    'ing.': 'ingenieur',
    'ca.': 'circa',
    'nr.': 'nummer',
    'blz.': 'bladzijde',
    'tel.': 'telefoon',
    'incl.': 'inclusief',
    'excl.': 'exclusief',
    'max.': 'maximaal',
    'v.Chr.': 'voor Christus',
    'v. Chr.': 'voor Christus',
    'n.Chr.': 'na Christus',
    'n. Chr.': 'na Christus',
  },
  roman: {
    before: `${RULERS}|hoofdstuk|deel|boek|fase`,
    words: (value, before) =>
      /^(?:hoofdstuk|deel|boek|fase)$/iu.test(before)
        ? spellOut('nl', '%spellout-numbering', value)
        : `de ${spellOut('nl', '%spellout-ordinal', value)}`,
    after: { pattern: 'eeuw', mark: 'e?', words: (value) => spellOut('nl', '%spellout-ordinal', value) },
  },
  // "jaren '80".
  names: [{ pattern: /(?<=(?<!\p{L})jaren )['’](?=\d0(?!\d))/gu, words: () => '' }],
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
