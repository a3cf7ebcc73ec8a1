import assert from 'node:assert/strict';
import { normalizeText } from '../../../../../service/voices/engines/normalize/normalize-text.js';

/** Texts with words and numbers that look like signs, units, abbreviations or dates. */
const readings: Readonly<Record<string, ReadonlyArray<readonly [written: string, read: string]>>> = {
  ru: [
    ['5 рублей', 'пять рублей'],
    ['21 рубль', 'двадцать один рубль'],
    ['2 сообщения', 'два сообщения'],
    ['Код 0042', 'Код 0042'],
  ],
  en: [
    ['In St. Louis it rains.', 'In Saint Louis it rains.'],
    ['The part I played', 'The part I played'],
    ['120/80', '120/80'],
    ['Chapter IV', 'Chapter four'],
  ],
  it: [['Alza il volume di 5', 'Alza il volume di cinque']],
  es: [['Este año mi hija cumple 5 años', 'Este año mi hija cumple cinco años']],
  sv: [['En del i huset är kall', 'En del i huset är kall']],
  de: [['Noch 30 sek.', 'Noch dreißig sek.']],
  sl: [['1000', 'tisoč']],
  da: [['12 km/t', 'tolv kilometer i timen']],
  pl: [['5,50 zł', 'pięć złotych i pięćdziesiąt groszy']],
};

describe('words that look like figures', () => {
  for (const [language, rows] of Object.entries(readings))
    it(`keep their reading in ${language}`, () => {
      for (const [written, read] of rows) assert.equal(normalizeText(written, language), read);
    });
});
