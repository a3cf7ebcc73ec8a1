import type { ElectronicWords, SignWords } from '../language.js';

export const electronic: ElectronicWords = {
  signs: {
    '@': 'at',
    '.': 'Punkt',
    '-': 'Bindestrich',
    _: 'Unterstrich',
    '/': 'Schrägstrich',
    ':': 'Doppelpunkt',
    '://': 'Doppelpunkt Schrägstrich Schrägstrich',
  },
  words: { com: 'com', org: 'org', net: 'net', edu: 'edu', gmail: 'gmail', info: 'info', de: 'de' },
};

export const abbreviations: Readonly<Record<string, string>> = {
  'Dr.': 'Doktor',
  'Prof.': 'Professor',
  'z.B.': 'zum Beispiel',
  'z. B.': 'zum Beispiel',
  'd.h.': 'das heißt',
  'd. h.': 'das heißt',
  'u.a.': 'unter anderem',
  'u. a.': 'unter anderem',
  'usw.': 'und so weiter',
  'bzw.': 'beziehungsweise',
  'ca.': 'circa',
  'Nr.': 'Nummer',
  'Tel.': 'Telefon',
  'Ms.': 'Miss',
  'Mrs.': 'Misses',
  'Mr.': 'Mister',
  'Str.': 'Straße',
  'inkl.': 'inklusive',
  'zzgl.': 'zuzüglich',
  'evtl.': 'eventuell',
  'v. Chr.': 'vor Christus',
  'v.Chr.': 'vor Christus',
  'n. Chr.': 'nach Christus',
  'n.Chr.': 'nach Christus',
  '§': 'Paragraf',
  '§§': 'Paragrafen',
  'St.': 'Sankt',
  'Hr.': 'Herr',
  'max.': 'maximal',
  'Std.': 'Std',
  'Min.': 'Min',
  'Sek.': 'Sek',
};

export const signs: SignWords = {
  and: 'und',
  pages: { before: 'Seite|Schritt|Folie|Datei|Frage|Teil', of: 'von' },
  hashtag: 'Hashtag',
  times: 'mal',
  plusMinus: 'plus minus',
  by: 'mal',
  score: 'zu',
  codes: {
    before:
      'Code|PIN|TAN|PLZ|Postleitzahl|Kennwort|Passwort|(?:Kunden|Serien|Bestell|Rechnungs|Vertrags|Konto|Auftrags|Vorgangs|Artikel)-?(?:nummer|[Nn]r\\.)',
    link: 'ist|lautet|war',
  },
  weekdays: {
    Mo: 'Montag',
    Di: 'Dienstag',
    Mi: 'Mittwoch',
    Do: 'Donnerstag',
    Fr: 'Freitag',
    Sa: 'Samstag',
    So: 'Sonntag',
  },
  weekdayRange: 'bis',
};
