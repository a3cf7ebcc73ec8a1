import { electronicOf, type Facts, noun } from '../language-of.js';
import { spellOut } from '../spell-out.js';

/** Indonesian. */
export const facts: Facts = {
  code: 'id',
  numbers: { minus: 'minus', plus: 'plus', mark: 'koma', to: 'sampai', dot: 'titik', equals: 'sama dengan' },
  units: { by: 'per' },
  money: {
    units: { IDR: noun('rupiah'), EUR: noun('euro') },
    cents: { EUR: noun('sen') },
    signs: { Rp: 'IDR', 'Rp.': 'IDR' },
  },
  electronic: electronicOf('at|titik|tanda hubung|garis bawah|garis miring|titik dua'),
  signs: {
    and: 'dan',
    hashtag: 'tagar',
    times: 'kali',
    divided: 'dibagi',
    plusMinus: 'plus minus',
    by: 'kali',
    score: '',
  },
  forms: [
    {
      pattern: /(?<!\p{L})(?<start>[Kk])e-(?<value>[1-9]\d{0,5})(?![\p{L}\p{N}]|[.,]\p{N})/gu,
      words: ({ start, value }) =>
        Number(value) === 1
          ? `${start}esatu`
          : `${start}${spellOut('id', '%spellout-ordinal', Number(value)).slice(1)}`,
    },
  ],
};
