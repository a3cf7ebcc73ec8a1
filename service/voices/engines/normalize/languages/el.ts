import { electronicOf, type Facts, noun } from '../language-of.js';
import { START } from '../numerals.js';
import { spellOut } from '../spell-out.js';

/** Greek. */
export const facts: Facts = {
  code: 'el',
  script: '\\p{Script=Greek}',
  numbers: { minus: 'μείον', plus: 'συν', mark: 'κόμμα', to: 'έως', dot: 'τελεία', equals: 'ίσον' },
  units: { by: 'ανά' },
  money: {
    and: 'και',
    units: { EUR: noun('ευρώ', 'ευρώ', 'neuter') },
    cents: { EUR: noun('λεπτό', 'λεπτά', 'neuter') },
  },
  dates: {
    // The first of a month is an ordinal; the other days are cardinals in the feminine.
    date: ({ year, month, day }) =>
      `${day === 1 ? 'πρώτη' : spellOut('el', '%spellout-cardinal-feminine', day)} ${MONTHS[month - 1]}${year === undefined ? '' : ` ${spellOut('el', '%spellout-numbering-year', year)}`}`,
    shortDates: false,
    dayMonth: '(?:η)? ',
  },
  electronic: electronicOf('παπάκι|τελεία|παύλα|κάτω παύλα|κάθετος|άνω και κάτω τελεία'),
  signs: {
    and: 'και',
    hashtag: 'χάσταγκ',
    times: 'επί',
    divided: 'διά',
    plusMinus: 'συν πλην',
    by: 'επί',
    score: '',
  },
  forms: [
    {
      pattern: new RegExp(`${START}(?<value>[1-9]\\d{0,3})(?<ending>ος|ου|η|ης|ο)(?!\\p{L})`, 'gu'),
      words: ({ value, ending = '' }) =>
        spellOut(
          'el',
          `%spellout-ordinal-${ending.startsWith('η') ? 'feminine' : ending === 'ος' ? 'masculine' : 'neuter'}`,
          Number(value),
        ),
    },
  ],
};

const MONTHS =
  'Ιανουαρίου Φεβρουαρίου Μαρτίου Απριλίου Μαΐου Ιουνίου Ιουλίου Αυγούστου Σεπτεμβρίου Οκτωβρίου Νοεμβρίου Δεκεμβρίου'.split(
    ' ',
  );
