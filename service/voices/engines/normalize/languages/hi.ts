import type { Noun } from '../language.js';
import { type Facts, noun as nounOf } from '../language-of.js';
import { END, START } from '../numerals.js';
import { spellOut } from '../spell-out.js';

const noun = (one: string, other = one): Noun => nounOf(one, other, 'plain');
/** Spellings that differ from CLDR's are those of the Central Hindi Directorate. */
const SPELLINGS: ReadonlyArray<readonly [cldr: RegExp, spelling: string]> = [
  [/(?<![\p{L}\p{M}])छः(?![\p{L}\p{M}])/gu, 'छह'],
];
const cardinal = (value: number) =>
  SPELLINGS.reduce(
    (words, [cldr, spelling]) => words.replace(cldr, spelling),
    spellOut('hi', '%spellout-cardinal', value),
  );
const year = (value: number): string =>
  value >= 1100 && value < 2000
    ? `${cardinal(Math.floor(value / 100))} सौ${value % 100 === 0 ? '' : ` ${cardinal(value % 100)}`}`
    : cardinal(value);

/** The first ordinals are words of their own; the others have the ending after the number. */
const ORDINALS: Readonly<Record<number, string>> = { 1: 'पहल', 2: 'दूसर', 3: 'तीसर', 4: 'चौथ', 6: 'छठ' };
const ENDINGS: Readonly<Record<string, string>> = {
  ला: 'ा',
  ली: 'ी',
  ले: 'े',
  रा: 'ा',
  री: 'ी',
  रे: 'े',
  था: 'ा',
  थी: 'ी',
  थे: 'े',
  ठा: 'ा',
  ठी: 'ी',
  ठे: 'े',
};
const ENGLISH = 'फ़र्स्ट सेकंड थर्ड फ़ोर्थ फ़िफ्थ सिक्स्थ सेवंथ एट्थ नाइंथ टेंथ इलेवंथ ट्वेल्फ्थ थर्टींथ फोर्टींथ फिफ्टींथ'.split(' ');

function ordinal(value: number, ending: string): string | undefined {
  const [stem, vowel] = [ORDINALS[value], ENDINGS[ending]];
  if (stem !== undefined && vowel !== undefined) return `${stem}${vowel}`;
  return vowel === undefined ? `${cardinal(value)}${ending}` : undefined;
}

const LETTERS: Readonly<Record<string, string>> = Object.fromEntries(
  'ए बी सी डी ई एफ जी एच आई जे के एल एम एन ओ पी क्यू आर एस टी यू वी डब्ल्यू एक्स वाई ज़ेड'
    .split(' ')
    .map((name, at) => [String.fromCodePoint(97 + at), name]),
);

/** Words of addresses, whose numbers are spelled. */
const STREETS = 'स्ट्रीट|रोड|एवेन्यू|पार्कवे|मार्ग|फ्लोर|ब्लॉक';

/** Hindi. */
export const facts: Facts = {
  code: 'hi',
  script: '\\p{Script=Devanagari}',
  numbers: {
    equals: 'बराबर',
    minus: 'माइनस',
    plus: 'प्लस',
    mark: 'दशमलव',
    to: 'से',
    dot: 'डॉट',
    spellsAddresses: true,
    cardinal,
    year,
    ordinal: (value) => ENGLISH[value - 1],
  },
  units: {
    by: 'प्रति',
    rate: (name, per) => `${name} प्रति ${per}`,
    names: {
      ft: noun('फीट'),
      mi: noun('मील'),
      yd: noun('यार्ड'),
      in: noun('इंच'),
      ac: noun('एकड़'),
      dg: noun('डेसीग्राम'),
      q: noun('क्विंटल'),
      K: noun('केल्विन'),
      t: noun('टन'),
      '°F': noun('डिग्री फारेनहाइट'),
      '°C': noun('डिग्री सेल्सियस'),
      '°': noun('डिग्री'),
      h: noun('घंटा', 'घंटे'),
      hr: noun('घंटा', 'घंटे'),
      yr: noun('साल'),
      oz: noun('आउन्स'),
      qt: noun('क्वार्ट'),
      gal: noun('गैलन'),
      lb: noun('पाउंड'),
      st: noun('स्टोन'),
      pt: noun('पिंट'),
      ml: noun('मिलीलीटर'),
      s: noun('सेकंड'),
      min: noun('मिनट'),
    },
  },
  money: {
    units: {
      INR: noun('रुपया', 'रुपए'),
      USD: noun('डॉलर'),
      GBP: noun('पाउंड'),
      EUR: noun('यूरो'),
      KRW: noun('वॉन'),
      TRY: noun('लीरा'),
      JPY: noun('येन'),
      NGN: noun('नाइरा'),
      BDT: noun('टका'),
    },
    cents: {
      TRY: noun('कुरस'),
      NGN: noun('कोबो'),
      BDT: noun('पैसे'),
      KRW: noun('जिओन'),
      JPY: noun('सेन'),
      INR: noun('पैसा', 'पैसे'),
      USD: noun('सेंट'),
      GBP: noun('पेंस'),
      EUR: noun('सेंट'),
    },
    signs: { '৳': 'BDT', '₦': 'NGN', 'रु.': 'INR', 'Rs.': 'INR', Rs: 'INR' },
    scales: { लाख: 'लाख', करोड़: 'करोड़', हज़ार: 'हज़ार' },
  },
  dates: {
    date: ({ year: ofYear, month, day }) =>
      `${cardinal(day)} ${MONTHS[month - 1]}${ofYear === undefined ? '' : ` ${year(ofYear)}`}`,
    dayMonth: ' ',
    monthYear: ',? ',
  },
  times: {
    time: ({ hour, minute, second }) =>
      minute + second === 0
        ? `${cardinal(hour)} बजे`
        : `${cardinal(hour)} बजकर ${[minute === 0 ? '' : `${cardinal(minute)} मिनट`, second === 0 ? '' : `${cardinal(second)} सेकंड`].filter((part) => part !== '').join(' ')}`,
    suffix: ' बजे',
  },
  phones: { patterns: ['\\d{3,7}[-.]\\d{4,8}', '[6-9]\\d{4} \\d{5}'], pause: ', ' },
  electronic: {
    signs: {
      '@': 'एट',
      '.': 'डॉट',
      '-': 'हाइफ़न',
      _: 'अंडरस्कोर',
      '/': 'फॉरवर्ड स्लैश',
      ':': 'कोलन',
      '://': 'कोलन फॉरवर्ड स्लैश फॉरवर्ड स्लैश',
      '\\': 'बैकवर्ड स्लैश',
    },
    words: {
      gmail: 'जीमेल',
      hotmail: 'हॉटमेल',
      live: 'लाइव',
      google: 'गूगल',
      yahoo: 'याहू',
      github: 'गिटहब',
      wikipedia: 'विकिपीडिया',
      com: 'कॉम',
      info: 'इन्फो',
      net: 'नेट',
      org: 'ऑर्ग',
      in: 'इन',
      users: 'यूज़र्स',
      desktop: 'डेस्कटॉप',
      downloads: 'डाउनलोड्स',
      documents: 'डॉक्युमेंट्स',
      data: 'डेटा',
    },
    letters: LETTERS,
  },
  signs: {
    and: 'और',
    hashtag: 'हैशटैग',
    times: 'गुणा',
    divided: 'भाग',
    less: 'ऋण',
    more: 'धन',
    plusMinus: 'प्लस माइनस',
    score: '',
    codes: {
      before: '(?:पिन|ज़िप|पोस्टल) ?कोड|कोड|ओटीपी|OTP|पासवर्ड|(?:सीरियल|खाता|ग्राहक|ऑर्डर) (?:नंबर|संख्या)|पिन',
      link: 'है',
    },
  },
  abbreviations: {
    'नं.': 'नंबर',
    'मा.': 'मास्टर',
    'कु.': 'कुमारी',
    'डॉ.': 'डॉक्टर',
    'श्री.': 'श्री',
    'ई. पू.': 'ईसा पूर्व',
    'ई.पू.': 'ईसा पूर्व',
    'प्रो.': 'प्रोफ़ेसर',
  },
  roman: {
    before: 'अध्याय|भाग|खंड|कक्षा|लुई|हेनरी|जॉर्ज|चार्ल्स|एलिज़ाबेथ|एडवर्ड|पोप \\p{L}{2,12}',
    words: (value) => cardinal(value),
  },
  fraction: ({ whole, numerator, denominator }) => {
    const part = `${cardinal(numerator)} बटा ${cardinal(denominator)}`;
    return whole === undefined ? part : `${cardinal(Number(whole))} और ${part}`;
  },
  forms: [
    {
      pattern: new RegExp(`(?<code>पिन ?कोड|पिन) (?<digits>\\d{6})${END}`, 'gu'),
      words: ({ code, digits = '' }) => `${code} ${spelled(digits)}`,
    },
    {
      pattern: new RegExp(`(?<=\\p{L}\\p{M}*,? )(?<digits>[1-9]\\d{5})$`, 'gu'),
      words: ({ digits = '' }) => spelled(digits),
    },
    {
      pattern: new RegExp(
        `${START}(?<first>\\d{1,6})(?<sign>[/-]?)(?<second>\\d{0,6})(?=,? (?:[^\\n]{0,80})(?:${STREETS}))(?![\\p{L}\\p{M}])`,
        'gu',
      ),
      words: ({ first = '', sign = '', second = '' }) =>
        `${spelled(first)}${sign === '' ? '' : sign === '/' ? ' बटा ' : ' हाइफ़न '}${spelled(second)}`.trim(),
    },
    {
      pattern: new RegExp(`(?<=(?:${STREETS})[^\\n]{0,80}(?:नंबर|,|स्ट्रीट) )(?<digits>\\d{1,6})${END}`, 'gu'),
      words: ({ digits = '' }) => spelled(digits),
    },
    {
      pattern: new RegExp(
        `${START}(?<value>\\d{1,6})(?<ending>ला|ली|ले|रा|री|रे|था|थी|थे|ठा|ठी|ठे|वां|वाँ|वीं|वें)(?![\\p{L}\\p{M}])`,
        'gu',
      ),
      words: ({ value, ending = '' }) => ordinal(Number(value), ending),
    },
    {
      pattern: new RegExp(`${START}(?<from>\\d{1,5})x(?<to>\\d{1,5})${END}`, 'gu'),
      words: ({ from, to }) => `${cardinal(Number(from))} बाई ${cardinal(Number(to))}`,
    },
  ],
};

const spelled = (digits: string) => Array.from(digits, (digit) => cardinal(Number(digit))).join(' ');

const MONTHS = 'जनवरी फ़रवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर अक्टूबर नवंबर दिसंबर'.split(' ');
