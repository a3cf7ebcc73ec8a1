import type { ElectronicWords, SignWords } from '../language.js';

export const electronic: ElectronicWords = {
  spelledNames: false,
  signs: {
    '@': 'at',
    '.': 'dot',
    '-': 'dash',
    _: 'underscore',
    '/': 'slash',
    ':': 'colon',
    '://': 'colon slash slash',
    '&': 'ampersand',
    '+': 'plus',
  },
  words: {
    https: 'HTTPS',
    http: 'HTTP',
    www: 'WWW',
    it: 'IT',
    sm: 'SM',
    us: 'US',
    uk: 'UK',
    nvidia: 'NVIDIA',
    jpg: 'jpeg',
  },
};

export const abbreviations: Readonly<Record<string, string>> = {
  'Dr.': 'doctor',
  'Mr.': 'mister',
  'Mrs.': 'misses',
  'Ms.': 'miz',
  'Prof.': 'professor',
  'e.g.': 'for example',
  'i.e.': 'that is',
  'vs.': 'versus',
  'approx.': 'approximately',
  'dept.': 'department',
  'Mt.': 'Mount',
  'Ft.': 'Fort',
  'Jr.': 'junior',
  'Sr.': 'senior',
  'order no.': 'order number',
  '401(k)': 'four oh one k',
  'e.s.t': 'EST',
  'p.s.t': 'PST',
  '§': 'section',
};

export const signs: SignWords = {
  and: 'and',
  pages: { before: '[Pp]age|[Ss]tep|[Ss]lide|[Ff]ile|[Qq]uestion|[Pp]art', of: 'of' },
  hashtag: 'hashtag',
  times: 'times',
  divided: 'divided by',
  plusMinus: 'plus or minus',
  by: 'by',
  score: 'to',
  codes: {
    before:
      '[Cc]ode|PIN|[Pp]asscode|[Zz]ip(?: code)?|ZIP(?: code)?|[Pp]ostcode|[Pp]ostal code|(?:[Aa]ccount|[Cc]ustomer|[Ss]erial|[Oo]rder|[Rr]eference|[Tt]icket|[Mm]odel)(?: number| no\\.)|[Dd]ial|[Ff]light',
    link: 'is|was',
  },
  weekdays: {
    Mon: 'Monday',
    Tue: 'Tuesday',
    Tues: 'Tuesday',
    Wed: 'Wednesday',
    Thu: 'Thursday',
    Thurs: 'Thursday',
    Fri: 'Friday',
    Sat: 'Saturday',
    Sun: 'Sunday',
  },
  weekdayRange: 'to',
};
