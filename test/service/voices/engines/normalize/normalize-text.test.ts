import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { withParts } from '../../../../../service/voices/engines/espeak/in-words.js';
import {
  normalizedLanguages,
  normalizeText,
} from '../../../../../service/voices/engines/normalize/normalize-text.js';
import { spellOut } from '../../../../../service/voices/engines/normalize/spell-out.js';
import { figures } from './figures.js';

describe('normalizeText', () => {
  for (const [language, table] of Object.entries(figures).filter(([language]) => language !== 'ja')) {
    it(`writes figures as words in ${language}, also within a sentence`, () => {
      for (const [figure, words] of table) {
        const expected =
          language === 'fr'
            ? words.replace(/\bet u(?=ne?\b)/gu, 'et-u').replace(/-?(?<=t) ?et-/gu, '-et-')
            : words;
        assert.equal(normalizeText(figure, language), expected);
        assert.equal(normalizeText(`"${figure}", (${figure})`, language), `"${expected}", (${expected})`);
      }
    });
  }

  it('leaves part numbers, machine addresses and unclear figures to the engine', () => {
    for (const text of [
      'A4, B-5, X200, 3D, 4K, B2B, CO2, COVID-19, MP3, iOS17',
      'seat 12A, room 5V, bus 7B',
      'AB-12-34, 12-34-56, 737-800',
      'issue #5, @5, 2*3, a_1, 1foo',
      '00:1A:2B:3C:4D:5E, ffff::1, 0x1F',
      '25:61, 007, 2026-13-40',
      'U+20AC, €, %, °',
    ]) {
      for (const language of ['en', 'es', 'it']) assert.equal(normalizeText(text, language), text);
    }
    for (const language of ['es', 'it']) assert.equal(normalizeText('24/7', language), '24/7');
  });

  it('reads addresses of mail and web, and file names, with their signs', () => {
    for (const [language, text, words] of [
      ['en', 'Write to me2@example.com.', 'Write to me two at example dot com.'],
      ['de', 'www.abc.com', 'w w w Punkt a b c Punkt com'],
      ['pt', 'https://www.nvidia.com', 'h t t p s dois pontos barra barra w w w ponto nvidia ponto com'],
      ['hi', 'C:\\Users\\HP', 'सी कोलन बैकवर्ड स्लैश यूज़र्स बैकवर्ड स्लैश एच पी'],
      ['en', 'http://example.com/?x=3a', 'http://example.com/?x=3a'],
    ] as const)
      assert.equal(normalizeText(text, language), words);
  });

  it('reads fractions, Roman numerals, abbreviations and units per another one', () => {
    for (const [language, text, words] of [
      ['en', '9 3/4 or ½', 'nine and three quarters or one half'],
      ['en', '4 1/2 lb and 3/4 in', 'four and a half pounds and three quarters in'],
      ['en', 'Chapter IV', 'Chapter four'],
      ['en', '340 A.D.', 'three forty AD.'],
      [
        'en',
        'Dr. Evil on Baker St. in 1980s style',
        'doctor Evil on Baker Street in nineteen eighties style',
      ],
      ['en', 'At Baker St. in St. Ives', 'At Baker Street in Saint Ives'],
      ['en', 'the 2000s', 'the two thousands'],
      ['en', 'we march 3 blocks', 'we march three blocks'],
      ['ru', 'в 5 с половиной', 'в пять с половиной'],
      ['nl', '€ 1.204,50', 'duizendtweehonderdvier euro en vijftig cent'],
      ['de', 'z. B. 1/4', 'zum Beispiel ein viertel'],
      ['fr', 'M. Dupont, 18,2 millions', 'monsieur Dupont, dix-huit virgule deux millions'],
      ['pt', '2/5 de R$ 12,05', 'dois quintos de doze reais e cinco centavos'],
      [
        'ru',
        '12 км/ч, 2 часа, 21 °C, 1 500 ₽',
        'двенадцать километров в час, два часа, двадцать один градус Цельсия, одна тысяча пятьсот рублей',
      ],
      ['ru', '22-я, 1990-е, 2,5', 'двадцать вторая, тысяча девятьсот девяностые, две целых пять десятых'],
      ['sv', '1:a, 1 995 kr', 'första, tusen niohundranittiofem kronor'],
      ['vi', 'thế kỷ XXI, 50.000đ/ngày', 'thế kỷ hai mươi mốt, năm mươi nghìn đồng trên ngày'],
      ['hu', 'április 1-jén 8:05', 'április elsején nyolc óra öt perc'],
      ['ar', '٣٫٥', 'ثلاثة وخمسة من عشرة'],
      ['ko', '₩30조', '삼십조 원'],
    ] as const)
      assert.equal(normalizeText(text, language), words);
  });

  it('reads codes, scores, kings, decades, pages and abbreviated days', () => {
    for (const [language, text, words] of [
      ['en', 'The code is 4072', 'The code is four zero seven two'],
      ['en', 'Dial 0800 123 456', 'Dial zero eight zero zero, one two three, four five six'],
      ['en', 'the 90s, Page 5/10, 16:9', 'the nineties, Page five of ten, sixteen to nine'],
      ['en', 'It took 90s.', 'It took ninety seconds.'],
      ['en', 'Louis XIV, Mon-Fri, £3m', 'Louis the Fourteenth, Monday to Friday, three million pounds'],
      ['de', 'Ludwig XIV. war da', 'Ludwig der Vierzehnte war da'],
      ['de', 'am 3.4. Bis dann', 'am dritten April. Bis dann'],
      ['de', 'am 3.4. um 8:15 Uhr', 'am dritten April um acht Uhr fünfzehn'],
      ['fr', 'Taille M., XVe siècle, 21 personnes', 'Taille M., quinzième siècle, vingt-et-une personnes'],
      ['it', '3° piano, 1/2 litro', 'terzo piano, mezzo litro'],
      ['es', '2 1/2 horas', 'dos y media horas'],
      ['ru', 'через 1 мин, XV век', 'через одну минуту, пятнадцатый век'],
      ['ar', 'الساعة 8:15', 'الساعة الثامنة والربع'],
      ['hi', '12,50,000', 'बारह लाख पचास हज़ार'],
      ['hu', '3. emelet', 'harmadik emelet'],
    ] as const)
      assert.equal(normalizeText(text, language), words);
  });

  it('writes numbers, times, units and amounts in words in each language, without digits', () => {
    for (const language of normalizedLanguages)
      for (const text of [
        '0',
        '21',
        '1984',
        '999999',
        '14:30',
        '2,5 kg',
        '12 km/h',
        '5 °C',
        '50 %',
        '7 €',
        '$3',
        '2026-11-21',
      ])
        assert.doesNotMatch(normalizeText(text, language), /[\p{N}€$%°|]|\s{2}/u, `${text} in ${language}`);
  });

  it('reads the same on builds of Node.js without the locale data of other languages', () => {
    const text = '2026-11-21, 14:30:05, 2,5 kg, 21 km/h, 3 €, 5 °C, 1 h, 2 h';
    const readings = () => normalizedLanguages.map((language) => normalizeText(text, language));
    const expected = readings();
    const { Intl: original } = globalThis;
    Reflect.deleteProperty(globalThis, 'Intl');
    try {
      assert.deepEqual(readings(), expected);
    } finally {
      globalThis.Intl = original;
    }
  });

  it('keeps the good readings that differ from those of the public set, listed with their reasons', () => {
    const file = path.join(__dirname, 'other-readings.tsv');
    const rows = readFileSync(file, 'utf8').trim().split('\n').slice(1);
    for (const row of rows) {
      const [language = '', written = '', reading, reason = ''] = row.split('\t');
      assert.equal(normalizeText(written, language), reading, `${written} in ${language}`);
      assert.notEqual(reason, '', written);
    }
  });

  it('reads network addresses and versions as such, not as dates or thousands', () => {
    assert.match(
      normalizeText('10.0.100.200', 'de'),
      /^zehn Punkt null Punkt einhundert Punkt zweihundert$/u,
    );
    assert.equal(normalizeText('v2.10.3', 'en'), 'v two point ten point three');
    assert.equal(normalizeText('1.000.000', 'de'), 'eine Million');
  });

  it('reads the mark between digits by the language, unless the number has another mark', () => {
    assert.equal(normalizeText('1.234', 'en'), 'one point two three four');
    assert.equal(normalizeText('1.234', 'de'), 'eintausendzweihundertvierunddreißig');
    assert.equal(normalizeText('1,234', 'de'), 'eins Komma zwei drei vier');
    assert.equal(normalizeText('0.234', 'de'), 'null Komma zwei drei vier');
  });

  it('keeps the words beside a figure', () => {
    for (const [text, words] of [
      ['20° in the sun, 20 ° C', 'twenty degrees in the sun, twenty degrees Celsius'],
      ['5 apples, 10 km', 'five apples, ten kilometers'],
      ['3 days - 5 km', 'three days - five kilometers'],
      ['a 5-minute walk', 'a five minute walk'],
      ['It costs $5. Or €6, 7 €; 8 €.', 'It costs five dollars. Or six euros, seven euros; eight euros.'],
      ['Call 030 1234567.', 'Call zero three zero, one two three four five six seven.'],
    ] as const) {
      assert.equal(normalizeText(text, 'en'), words);
    }
  });

  it('gives the number one the gender of its noun', () => {
    for (const [language, text, words] of [
      [
        'es',
        '1 mensaje, 21 personas, 31 días, 1 de mayo',
        'un mensaje, veintiuna personas, treinta y un días, primero de mayo',
      ],
      ['it', '1 messaggio, 1 persona, 21 persone', 'un messaggio, una persona, ventuno persone'],
      ['de', '1 Nachricht, 1 Fenster, 21 Fenster', 'eine Nachricht, ein Fenster, einundzwanzig Fenster'],
    ] as const) {
      assert.equal(normalizeText(text, language), words);
    }
  });

  it('leaves a German number with a point to the engine, unless an article shows that it is an ordinal', () => {
    assert.equal(normalizeText('Es sind 3. Sie gehen.', 'de'), 'Es sind 3. Sie gehen.');
    assert.equal(normalizeText('das 3. Kind', 'de'), 'das dritte Kind');
  });

  it('reads a network address before a port', () => {
    assert.equal(normalizeText('10.0.0.1:80', 'en'), 'one zero dot zero dot zero dot one:eighty');
  });

  it('keeps a full stop that ends a sentence after p.m.', () => {
    assert.equal(
      normalizeText('Come at 7 p.m. Then eat at 8:30 p.m.', 'en'),
      'Come at seven PM. Then eat at eight thirty PM.',
    );
  });

  it('leaves numbers of more than 15 digits and numbers with leading zeros to the engine', () => {
    for (const text of ['1234567890123456', '01', '0001.5']) assert.equal(normalizeText(text, 'en'), text);
  });

  it('does not change texts in a language without rules', () => {
    for (const text of ['21.11.2026', '21,5 °C', '50 %']) assert.equal(normalizeText(text, 'no'), text);
  });

  const text = fc
    .array(
      fc.oneof(
        fc.nat({ max: 99_999 }).map(String),
        fc.constantFrom(
          '.',
          ',',
          ':',
          '-',
          '–',
          '/',
          ' ',
          '€',
          '$',
          '%',
          '°C',
          ' km/h',
          'h',
          'm²',
          'st',
          '.',
          '+',
          'a',
          'Mai',
          ' & ',
          '#a',
          ' × ',
          ' = ',
          '"',
          'Code ',
          'код ',
          'Karl XII',
          ' XV. ',
          '½',
          'м²',
          '@b.com',
          '-й',
          ' in ',
          '시',
          '年',
          '〜',
          '(月)',
          '第',
          '番号',
          '×',
          '=',
          "'",
        ),
      ),
      { maxLength: 12 },
    )
    .map((parts) => parts.join(''));

  it('changes nothing the second time', () => {
    for (const language of normalizedLanguages) {
      fc.assert(
        fc.property(text, (text) => {
          const once = normalizeText(text, language);
          assert.equal(normalizeText(once, language), once);
        }),
        { numRuns: 300 },
      );
    }
  });

  it('changes no text without digits, signs, addresses and abbreviations', () => {
    const unit = fc
      .string({ unit: 'grapheme' })
      .filter((text) => !/\p{N}|\p{L}[.:]|[@#&§№㈜㈱㈲]|\p{L}{2}/u.test(text));
    for (const language of normalizedLanguages) {
      fc.assert(
        fc.property(unit, (text) => assert.equal(normalizeText(text, language), text)),
        { numRuns: 50 },
      );
    }
  });

  it('takes time in proportion to the length of the text', () => {
    const long = normalizeText('1 '.repeat(20_000), 'en');
    assert.equal(long.length, 'one '.length * 20_000);
  });
});

describe('German number words', () => {
  it('are parted without loss of a letter', () => {
    for (let value = 1; value < 10_000; value++) {
      for (const word of [
        spellOut('de', '%spellout-numbering', value),
        spellOut('de', '%spellout-ordinal-n', value),
      ]) {
        assert.equal(withParts(word).replaceAll(' ', ''), word);
      }
    }
  });

  it('are parted before every part that eSpeak would read wrongly', () => {
    for (const [word, parts] of [
      ['zweiundvierzigsten', 'zwei und vierzigsten'],
      ['Neunzehnhundertvierundachtzig', 'Neunzehn hundert vier und achtzig'],
      ['hundertsechs', 'hundert sechs'],
    ] as const) {
      assert.equal(withParts(word), parts);
    }
  });

  it('of one part, and other words, stay whole', () => {
    const text = 'Dreizehn Achtelnoten und eine Einheit, achtzig Hundertschaften, verzweifelt undicht.';
    assert.equal(withParts(text), text);
  });
});
