import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { chunkText } from '../../../../client/text/chunk.js';

const cut = (text: string, maxLength: number, language = 'en'): string[] =>
  chunkText(text, { maxLength, language });

/** Asserts that no cut falls inside the phrase, for every maximum length that the phrase fits into. */
function staysWhole(phrase: string, language = 'en'): void {
  const text = `Before it comes more ${phrase} and after it too, as ever.`;
  for (let limit = phrase.length; limit < phrase.length + 20; limit++) {
    const chunks = cut(text, limit, language);
    assert.ok(
      chunks.some((chunk) => chunk.includes(phrase)),
      `${phrase} at ${limit}: ${JSON.stringify(chunks)}`,
    );
  }
}

describe('cutText never cuts, if it fits,', () => {
  const phrases = [
    '1,234.56',
    '3.14',
    '12:30',
    '1.000.000,50',
    '10-12',
    '10–12',
    '192.168.0.1',
    '$5.00',
    '50 %',
    '12.05.2024',
    '5 km',
    '1 000 000 €',
    '+49 30 123456',
    'Dr. Smith',
    'e.g. this',
    'U.S. Army',
    'z.B. das',
    'z. B. das',
    '5 a.m.',
    'No. 5',
    '3. Oktober',
    'EUR 5.50',
    '§ 12',
    '10 – 12',
    'Yahoo!mail',
    'what?ever',
    'St. John',
    'Mr. Dr. Prof. Jones',
    'J. R. R. Tolkien',
    'Sra. Pérez',
    'Mme. Roux',
    'Sig. Rossi',
    'dhr. Jansen',
    'https://example.com/a?b=C!D&e=f.g',
    'someone@mail.example.com',
    '/usr/local/share/Some.File',
    'C:\\Users\\Me\\File.TXT',
    'state-of-the-art',
    'v3.The',
    'vier\u00a0Worte\u00a0zusammen',
  ];
  for (const phrase of phrases) it(JSON.stringify(phrase), () => staysWhole(phrase));

  const byLanguage: Record<string, string[]> = {
    ar: ['د. محمد', 'د.محمد', 'أ. د. سامي'],
    bg: ['бул. Витоша', 'гр. София', 'проф. Иванов'],
    cs: ['p. Novák', 'sv. Jan', 'ul. Dlouhá', 'č. 5'],
    da: ['f.eks. Anna', 'kl. 8'],
    el: ['κ. Παπαδόπουλος', 'Αγ. Νικόλαος', 'οδ. Ερμού'],
    et: ['Nt. Mari', 'lk. 5'],
    fi: ['Esim. Matti'],
    hi: ['डॉ. शर्मा', 'श्री. गुप्ता', 'एम.ए. पास', 'कि.मी. दूर'],
    hr: ['g. Horvat', 'gđa. Kovač', 'ul. Kralja'],
    hu: ['özv. Kovács', 'Szt. István'],
    id: ['Tn. Budi', 'Jl. Sudirman'],
    lt: ['p. Petraitis', 'Pvz. Jonas'],
    lv: ['Piem. Rīga'],
    pl: ['ul. Długa', 'św. Jan', 'inż. Kowalski', 'godz. 12'],
    ro: ['dl. Popescu', 'str. Lungă'],
    ru: ['г. Москва', 'ул. Ленина', 'проф. Иванов', 'А. С. Пушкин', 'стр. 10', '5 км'],
    sk: ['sv. Martin', 'napr. Nitra'],
    sl: ['g. Novak', 'sv. Peter'],
    sv: ['Jfr. Anna', 'kl. 8', '50 kr'],
    tr: ['Doç. Ali', 'Yrd. Doç. Veli'],
    uk: ['м. Київ', 'вул. Шевченка', 'ім. Франка'],
    vi: ['TP. Hồ', 'GS. Nguyễn'],
  };
  for (const [language, list] of Object.entries(byLanguage)) {
    it(`${list.map((phrase) => JSON.stringify(phrase)).join(', ')} in ${language}`, () => {
      for (const phrase of list) staysWhole(phrase, language);
    });
  }

  it('an abbreviation with combining marks', () => staysWhole('c\u030c. 5', 'cs'));

  it('"3. Oktober" in German, and the number of a list item in any language', () => {
    staysWhole('3. Oktober', 'de');
    staysWhole('21. kesäkuuta', 'fi');
    assert.deepEqual(cut('Intro here.\n1. Then a long item goes on', 27), [
      'Intro here.',
      '1. Then a long item goes on',
    ]);
    assert.deepEqual(cut('1. First item here.\n2. Second item here.', 24), [
      '1. First item here.',
      '2. Second item here.',
    ]);
  });

  it('a quotation with its reporting clause', () => {
    assert.deepEqual(cut('"Is it really?" he asked. No.', 25), ['"Is it really?" he asked.', 'No.']);
    assert.deepEqual(cut('"Really?" he asked. "Yes." She left.', 22), [
      '"Really?" he asked.',
      '"Yes." She left.',
    ]);
    assert.deepEqual(cut('Il dit : « Oui. » Puis il part.', 20, 'fr'), [
      'Il dit : « Oui. »',
      'Puis il part.',
    ]);
    assert.deepEqual(cut('「はい、そうです。」と言った。そして。', 15, 'ja'), [
      '「はい、そうです。」と言った。',
      'そして。',
    ]);
    assert.deepEqual(cut('"안녕."라고 말했다. 그리고 갔다.', 14, 'ko'), [
      '"안녕."라고 말했다.',
      '그리고 갔다.',
    ]);
  });

  it('a number from its unit, but cuts after a sentence that ends in a short word or a unit', () => {
    for (const [language, first, second] of [
      ['en', 'It weighs 5 g.', 'Then it fell.'],
      ['ru', 'Он родился в 1968 г.', 'Потом жил.'],
      ['ru', 'Это я.', 'Привет, мир.'],
      ['uk', 'Так воно і є.', 'А потім.'],
      ['pt', 'Sim, é.', 'Depois foi.'],
      ['hu', 'Ez ő.', 'Igen, az.'],
      ['sv', 'Den är ny.', 'Den kostar mer.'],
      ['ar', 'انتهى الدرس.', 'ثم ذهبنا.'],
      ['ko', '네.', '알겠습니다.'],
    ] as const) {
      const longer = Math.max(first.length, second.length);
      assert.deepEqual(cut(`${first} ${second}`, longer, language), [first, second]);
    }
  });

  it('a sentence that continues after "..."', () => {
    assert.deepEqual(cut('Wait... what is this? Nothing.', 22), ['Wait... what is this?', 'Nothing.']);
  });
});

/** Returns the chunks of a text for every maximum length from `from` to below the length of the text. */
function everyCut(text: string, from: number, language?: string): string[] {
  const limits = Array.from({ length: text.length - from }, (_, index) => from + index);
  return limits.flatMap((limit) => cut(text, limit, language));
}

describe('a punctuation mark', () => {
  it('after a space stays with its word', () => {
    const text =
      'Alors oui ! Mais non ? Il dit « peut-être » et ( enfin ) il part – un peu tard – chez lui : voilà.';
    for (const chunk of everyCut(text, 14, 'fr')) {
      assert.doesNotMatch(chunk, /^[!?»):–]/);
      assert.doesNotMatch(chunk, /[«(]$/);
    }
  });

  it('that must not begin or end a Japanese line does not begin or end a chunk', () => {
    const text = 'スーパーで「キャベツ」と（ニンジン）をカッテーヌと買って、ゆっくりと家へ帰ったのだった。';
    for (const chunk of everyCut(text, 12, 'ja')) {
      assert.doesNotMatch(chunk, /^[ーャュョッゃゅょっ、。」）]/);
      assert.doesNotMatch(chunk, /[「（]$/);
    }
  });

  it('inside a number is not cut in a text without spaces', () => {
    const text = '価格は1,234.56円で、期間は10–12日、時刻は12:30、人口は1，234人でした';
    for (const chunk of everyCut(text, 9, 'ja')) assert.doesNotMatch(chunk, /\d[.,:–，]$/);
  });

  it('or counter word stays with its number in a text without spaces', () => {
    const text = '彼は2024年の12月25日に第3章と第4章を読んで5人で7時に家へ帰りました';
    for (const chunk of everyCut(text, 7, 'ja')) assert.doesNotMatch(chunk, /[\d第]$/);
  });

  it('that combines does not begin a chunk, even after a space', () => {
    for (const chunk of everyCut('aaaa bb \u0301cc dddd', 12)) assert.doesNotMatch(chunk, /^\u0301/);
  });
});
