import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
  normalizedLanguages,
  normalizeText,
} from '../../../../../service/voices/engines/normalize/normalize-text.js';

const languages = normalizedLanguages;

/** An ordinal, a date and an amount of the local currency, as written in each language, with their readings. */
const rows: Readonly<Record<string, ReadonlyArray<readonly [written: string, read: string]>>> = {
  bg: [
    ['3-ти', 'трети'],
    ['3.4.2026', 'трети април две хиляди двайсет и шеста година'],
    ['12,50 €', 'дванайсет евро и петдесет цента'],
  ],
  cs: [
    ['3. patro', 'třetí patro'],
    ['21.11.', 'dvacátého prvního listopadu'],
    ['3. 4. 2026', 'třetího dubna dva tisíce dvacet šest'],
    ['12,50 Kč', 'dvanáct korun padesát haléřů'],
  ],
  da: [
    ['3. etage', 'tredje etage'],
    ['den 3. april', 'den tredje april'],
    ['12,50 kr', 'tolv kroner og halvtreds øre'],
  ],
  el: [
    ['3ος', 'τρίτος'],
    ['3/4/2026', 'τρεις Απριλίου δύο χιλιάδες είκοσι έξι'],
    ['12,50 €', 'δώδεκα ευρώ και πενήντα λεπτά'],
  ],
  et: [
    ['3. korrus', 'kolmas korrus'],
    ['21. november', 'kahekümne esimene november'],
    ['12,50 €', 'kaksteist eurot ja viiskümmend senti'],
  ],
  fi: [
    ['3. kerros', 'kolmas kerros'],
    ['3.4.2026', 'kolmas huhtikuuta kaksituhattakaksikymmentäkuusi'],
    ['12,50 €', 'kaksitoista euroa ja viisikymmentä senttiä'],
  ],
  hr: [
    ['3. kat', 'treći kat'],
    ['3. travnja', 'trećeg travnja'],
    ['12,50 €', 'dvanaest eura i pedeset centi'],
  ],
  id: [
    ['ke-3', 'ketiga'],
    ['3/4/2026', 'tiga April dua ribu dua puluh enam'],
    ['Rp 12.500', 'dua belas ribu lima ratus rupiah'],
  ],
  lt: [
    ['3-ias', 'trečias'],
    ['2026-04-03', 'du tūkstančiai dvidešimt šeštų metų balandžio trečia'],
    ['12,50 €', 'dvylika eurų penkiasdešimt centų'],
  ],
  lv: [
    ['3. stāvs', 'trešais stāvs'],
    ['21.11.', 'divdesmit pirmais novembris'],
    ['12,50 €', 'divpadsmit eiro un piecdesmit centi'],
  ],
  nl: [
    ['3e', 'derde'],
    ['3 april 2026', 'drie april tweeduizendzesentwintig'],
    ['€ 12,50', 'twaalf euro en vijftig cent'],
  ],
  pl: [
    ['3. piętro', 'trzecie piętro'],
    ['3 kwietnia 2026 r.', 'trzeciego kwietnia dwa tysiące dwudziestego szóstego roku'],
    ['12,50 zł', 'dwanaście złotych i pięćdziesiąt groszy'],
  ],
  ro: [
    ['al 3-lea', 'al treilea'],
    ['1 mai 2026', 'întâi mai două mii douăzeci și șase'],
    ['12,50 lei', 'doisprezece lei și cincizeci de bani'],
  ],
  sk: [
    ['3. poschodie', 'tretie poschodie'],
    ['21.11.', 'dvadsiateho prvého novembra'],
    ['12,50 €', 'dvanásť eur päťdesiat centov'],
  ],
  sl: [
    ['3. nadstropje', 'tretje nadstropje'],
    ['21. november', 'enaindvajsetega novembra'],
    ['12,50 €', 'dvanajst evrov in petdeset centov'],
  ],
  tr: [
    ['3. kat', 'üçüncü kat'],
    ['3.4.2026', 'üç Nisan iki bin yirmi altı'],
    ['12,50 ₺', 'on iki lira elli kuruş'],
  ],
  uk: [
    ['3-й', 'третій'],
    ['3 квітня 2026 р.', 'третього квітня дві тисячі двадцять шостого року'],
    ['12,50 грн', 'дванадцять гривень пʼятдесят копійок'],
  ],
};

/** Amounts of the local currency in the languages with a set of their own. */
const amounts: Readonly<Record<string, string>> = {
  ar: '12.50 ر.س',
  de: '12,50 €',
  en: '$12.50',
  es: '12,50 €',
  fr: '12,50 €',
  hi: '₹12.50',
  hu: '1250 Ft',
  it: '12,50 €',
  ja: '¥1250',
  ko: '₩1250',
  pt: 'R$ 12,50',
  ru: '12,50 ₽',
  sv: '12,50 kr',
  vi: '12.500 ₫',
  zh: '¥12.50',
};

/** The reading of each digit by itself. */
const digitByDigit = (digits: string, language: string) =>
  Array.from(digits, (digit) => normalizeText(digit, language)).join(' ');

describe('figures in all languages', () => {
  for (const [language, table] of Object.entries(rows))
    it(`are ordinals, dates and amounts of the local currency in ${language}`, () => {
      for (const [written, read] of table) assert.equal(normalizeText(written, language), read);
    });

  it('are words up to a million, never digit by digit', () => {
    for (const language of languages)
      fc.assert(
        fc.property(fc.integer({ min: 10, max: 1_000_000 }), (value) => {
          const read = normalizeText(String(value), language);
          assert.doesNotMatch(read, /[\p{N}|]/u, language);
          assert.notEqual(read, digitByDigit(String(value), language));
        }),
        { numRuns: 100 },
      );
  });

  it('are words in times, dates and amounts, cents included', () => {
    for (const language of languages) {
      const amount = amounts[language] ?? rows[language]?.at(-1)?.[0] ?? '';
      assert.notEqual(amount, '', language);
      for (const text of ['14:30', '0:05', '7:05:09', '2026-04-03', '31.12.1999', amount]) {
        const read = normalizeText(text, language);
        assert.doesNotMatch(read, /[\p{N}\p{Sc}|]/u, `${text} in ${language}`);
        for (const part of ['50', '30', '31', '2026'])
          assert.ok(!read.endsWith(digitByDigit(part, language)), `${text} in ${language}: ${read}`);
      }
    }
  });

  it('name the signs of an e-mail address', () => {
    for (const language of languages.filter((language) => language !== 'ko'))
      assert.doesNotMatch(normalizeText('info@example.com', language), /[@.]/u, language);
  });
});
