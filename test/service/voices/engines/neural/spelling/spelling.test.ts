import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { EspeakChild } from '../../../../../../service/voices/engines/espeak/espeak-child.js';
import { clausesOf, clauseTexts } from '../../../../../../service/voices/engines/neural/spelling/clauses.js';
import {
  type Spelling,
  spellingsOf,
} from '../../../../../../service/voices/engines/neural/spelling/spelling.js';
import { readConfig } from '../../../../../../service/voices/installed/voice-config.js';
import { configOf, PHONEME_IDS } from '../../../../../support/natural/stub-voice.js';

const config = (espeakVoice: string, phonemeIds = PHONEME_IDS) =>
  readConfig(configOf({ name: `${espeakVoice.slice(0, 2)}_XX-a-medium`, espeakVoice, phonemeIds }));

/** Words of each language, in any order. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  'en-us': [
    'garden',
    'washing',
    'machine',
    'dog',
    'ready',
    'door',
    'window',
    'kitchen',
    'seventeen',
    'light',
  ],
  de: ['Waschmaschine', 'fertig', 'Küche', 'Tür', 'Fenster', 'offen', 'siebzehn', 'Licht', 'Straße', 'heute'],
  fr: ['porte', 'ouverte', 'fenêtre', 'cuisine', 'lumière', 'garage', 'voiture', 'soleil', 'jardin', 'chien'],
  'es-419': ['puerta', 'abierta', 'ventana', 'cocina', 'luz', 'garaje', 'coche', 'jardín', 'perro', 'mañana'],
  ru: ['дверь', 'открыта', 'окно', 'кухня', 'свет', 'гараж', 'машина', 'сад', 'собака', 'завтра'],
  pl: ['drzwi', 'otwarte', 'okno', 'kuchnia', 'światło', 'garaż', 'samochód', 'ogród', 'pies', 'jutro'],
};
const SEPARATORS = [' ', ', ', '; ', ': ', ' – ', '. ', '! ', '? ', ' … ', ' "', '" '];

const SYMBOLS = new Map(
  Object.entries(PHONEME_IDS).flatMap(([symbol, ids]) => ids.map((id) => [id, symbol])),
);

describe('the ids of a text', () => {
  let espeak: EspeakChild;
  before(() => {
    espeak = new EspeakChild();
  });
  after(() => espeak.close());

  const spell = (text: string, voice: string, map = PHONEME_IDS): Promise<Spelling[]> =>
    spellingsOf(text, voice.slice(0, 2), config(voice, map), (name, texts) =>
      espeak.phonemes({ voice: name, texts }),
    );

  const symbolsOf = async (text: string, voice: string) =>
    (await spell(text, voice)).map(({ ids }) => ids.map((id) => SYMBOLS.get(id)).join(''));

  it('are start, each phoneme with a pad, and end', async () => {
    assert.deepEqual(await symbolsOf('Hello, world!', 'en-us'), ['^_h_ə_l_ˈ_o_ʊ_,_ _w_ˈ_ɜ_ː_l_d_!_$']);
  });

  it('have the sounds of each language that a voice speaks, in its own script', async () => {
    const texts: [language: string, espeakVoice: string, text: string, symbols: string][] = [
      ['zh', 'cmn', '门开着，洗衣机好了。', 'mˈəɜn khˈai5 ts.ˈo-1, ɕˈi2 jˈi5 tɕˈi5 χˈɑu2 lˈə1.'],
      ['fa', 'fa', 'در باز است.', 'dˈar bˈɑz ˈast.'],
      ['ka', 'ka', 'კარი ღიაა.', 'kˈari ɣˈiaa.'],
      ['te', 'te', 'తలుపు తెరిచి ఉంది.', 'tˈalupu tˈerici ˈundi.'],
      ['no', 'nb', 'Maskinen er ferdig.', 'mˈɑʃiːnən ˌɛːr fˈardɪ.'],
      ['ca', 'ca', 'La porta és oberta.', 'lə pˈɔrtə ˈez uβˈɛrtə.'],
    ];
    for (const [language, voice, text, symbols] of texts) {
      const [spelling] = await spellingsOf(text, language, config(voice), (name, parts) =>
        espeak.phonemes({ voice: name, texts: parts }),
      );
      const found = spelling?.ids.map((id) => SYMBOLS.get(id)).join('');
      assert.equal(found?.replace(/[_^$]/gu, ''), symbols, language);
    }
  });

  it('keep the punctuation of clauses and sentences', async () => {
    const marks = async (text: string, voice = 'en-us') =>
      (await symbolsOf(text, voice)).map((symbols) => symbols.replace(/[^,;:.!?]/gu, ''));
    assert.deepEqual(await marks('One, two; three: four – five.'), [',;:;.']);
    assert.deepEqual(await marks('Really?!'), ['?']);
    assert.deepEqual(await marks('He said "no", then left…'), [',.']);
    assert.deepEqual(await marks('Wait... what?'), ['.?']);
    assert.deepEqual(await marks('„Gut,“ sagte er, „wie geht es?“', 'de'), [',,?']);
    assert.deepEqual(await marks('»Gut!« ‚Wie geht es?‘', 'de'), ['!', '?']);
    assert.deepEqual(await marks('Hello'), ['.']);
    assert.deepEqual(await marks('مرحبا، كيف حالك؟', 'ar'), [',?']);
    assert.deepEqual(await marks('Πού είναι;', 'el'), ['?']);
    assert.deepEqual(await marks('¿Qué tal? ¡Hola!', 'es-419'), ['?', '!']);
    assert.deepEqual(await marks('यह एक है। यह दो है।', 'hi'), ['', '']);
    assert.deepEqual(await marks('z. B. Dr. Huber, 3,5 m', 'de'), [',.']);
  });

  it('contain each word of a text, whatever its punctuation', async () => {
    const places = fc.array(fc.tuple(fc.nat(9), fc.constantFrom(...SEPARATORS)), {
      minLength: 1,
      maxLength: 60,
    });
    const voices = fc.constantFrom(...Object.keys(WORDS));
    await fc.assert(
      fc.asyncProperty(voices, places, async (voice, words) => {
        const text = words.map(([word, separator]) => `${WORDS[voice]?.[word]}${separator}`).join('');
        const spoken = (await symbolsOf(text, voice)).flatMap((symbols) => symbols.split(/[\s,;:.!?]/u));
        const groups = spoken.map((symbols) => symbols.replace(/[_^$]/gu, '')).filter(Boolean);
        assert.equal(groups.length, words.length, `${text}: ${groups.join(' ')}`);
      }),
      { numRuns: 60 },
    );
  });

  const markedSentences = async (text: string, voice = 'en-us') =>
    (await symbolsOf(text, voice)).map((symbols) => symbols.replace(/[^,;:.!?]/gu, ''));

  it('keep a sentence of 400 letters whole, and cut a longer one at a clause, with a comma', async () => {
    const clause = (count: number) => 'garden '.repeat(count).trim();
    assert.deepEqual(await markedSentences(`${clause(60)}.`), ['.']);
    assert.deepEqual(await markedSentences(`${clause(40)}, ${clause(20)} – ${clause(30)}.`), [',;', '.']);
    assert.deepEqual(await markedSentences(`${clause(40)}… ${clause(40)}!`), [',', '!']);
    const [whole = ''] = await symbolsOf(`${clause(60)}.`, 'en-us');
    assert.equal(whole.split(' ').length, 60, 'each word is read');
  });

  it('have a comma after each part of a sentence without clauses', async () => {
    assert.deepEqual(await markedSentences(`${'garden '.repeat(150).trim()}?`), [',', ',', '?']);
    const letters = { ...config('en-us'), phonemeType: 'text' as const };
    const unread = () => Promise.reject(new Error('not needed'));
    const [first] = await spellingsOf('garden '.repeat(100), 'en', letters, unread);
    assert.deepEqual(first?.ids.slice(-3), [8, 0, 2]);
  });

  it('have one sentence for a line that goes on after its end, and several for paragraphs and items of a list', async () => {
    for (const end of ['\n', '\r\n', ' \n  '])
      assert.deepEqual(await markedSentences(`The door${end}Of the kitchen is open.`), ['.']);
    assert.deepEqual(await symbolsOf('The\ndoor', 'en-us'), await symbolsOf('The door', 'en-us'));
    assert.deepEqual(await markedSentences('The door\n\nIt is open.'), ['.', '.']);
    assert.deepEqual(await markedSentences('Bring:\n- milk\n- eggs\n2. bread'), [':', '.', '.', '.']);
    assert.deepEqual(await markedSentences('Really?\nYes.'), ['?', '.']);
  });

  it('have one sentence for an address with a question mark', async () => {
    for (const address of ['example.org/search?q=door', 'https://example.org/a?b=1&c=2', 'example.org/!Door'])
      assert.equal((await spell(`Open ${address} now. It works.`, 'en-us')).length, 2, address);
    assert.deepEqual(await markedSentences('Really?Yes! Good.'), ['?', '!', '.']);
  });

  it('leave out phonemes that the model does not know', async () => {
    const known = Object.fromEntries(
      Object.entries(PHONEME_IDS).filter(([symbol]) => !'ˈˌʊ'.includes(symbol)),
    );
    const [spelling] = await spell('Hello.', 'en-us', known);
    assert.deepEqual(spelling?.ids, [1, 0, 20, 0, 59, 0, 24, 0, 27, 0, 10, 0, 2]);
  });

  it('may be several for a phoneme', async () => {
    const [spelling] = await spell('Ah.', 'en-us', { ...PHONEME_IDS, ː: [5, 6] });
    assert.deepEqual(spelling?.ids, [1, 0, 120, 0, 51, 0, 5, 6, 0, 10, 0, 2]);
  });

  it('are as many as the ids of the sounds', async () => {
    for (const { ids, sounds } of await spell('Guten Tag, Welt! Es ist 21 Uhr.', 'de')) {
      assert.equal(
        sounds.reduce((sum, sound) => sum + sound.ids, 0),
        ids.length,
      );
    }
  });

  it('do not contain marks of a change of language', async () => {
    const [symbols = ''] = await symbolsOf('Bon week-end.', 'fr');
    assert.doesNotMatch(symbols, /[()]|e_n_/u);
    assert.match(symbols, /w_ˈ_i_ː_k/u);
  });

  it('keep the vowels of doubled Arabic letters, in both orders of the marks', async () => {
    const typed = 'الشّ\u064eمْسِ مُحَمّ\u064eدٌ';
    const expected = '^ʔaʃʃˈamsi muħˈammadˌun.$';
    const plain = async (text: string) => (await symbolsOf(text, 'ar')).join('').replaceAll('_', '');
    assert.equal(await plain(typed), expected);
    assert.equal(await plain(typed.normalize('NFD')), expected);
  });

  it('are those between double brackets, as part of the sentence around them', async () => {
    const plain = async (text: string) =>
      (await symbolsOf(text, 'en-us')).map((all) => all.replaceAll('_', ''));
    assert.deepEqual(await plain('The [[həlˈoʊ]] is new. Yes.'), ['^ðə həlˈoʊ ɪz nˈuː.$', '^jˈɛs.$']);
    assert.deepEqual(await plain('Say [[aɪ bˈiː]], please!'), ['^sˈeɪ aɪ bˈiː, plˈiːz!$']);
    assert.deepEqual(await plain('Yes. [[nˈoʊ]]. Go'), ['^jˈɛs.$', '^nˈoʊ.$', '^ɡˈoʊ.$']);
    assert.deepEqual(await plain('[[nˈoʊ]]'), ['^nˈoʊ.$']);
    const [spelling] = await spell('[[kˈætʰː]]', 'en-us');
    assert.deepEqual(
      spelling?.sounds.map(({ symbol }) => symbol),
      ['', 'k', 'æ', 'tʰː', '', ''],
    );
  });

  it('are those of the letters if the voice does not know what is between double brackets', async () => {
    assert.match((await symbolsOf('See [[日本]] Home.', 'en-us')).join(''), /s_ˈ_i_ː_.*h_ˈ_o_ʊ_m/u);
    assert.match((await symbolsOf('See [[Home]].', 'en-us')).join(''), /h_ˈ_o_ʊ_m/u);
  });

  it('are joined in clusters of vowels, the longest first', async () => {
    const map = { ...PHONEME_IDS, aɪ: [161], aɪə: [162] };
    const clustered = { ...config('en-us', map), clusters: ['aɪ', 'aɪə'] };
    const [spelling] = await spellingsOf('My fire, I.', 'en', clustered, (voice, texts) =>
      espeak.phonemes({ voice, texts }),
    );
    const ids = spelling?.ids ?? assert.fail('nothing spelled');
    assert.deepEqual(
      ids.filter((id) => id > 160 || id === PHONEME_IDS['a']?.[0]),
      [161, 161, 161],
    );
  });

  it('need no eSpeak for a model that reads text', async () => {
    const letters = { ...config('en-us'), phonemeType: 'text' as const };
    const [spelling] = await spellingsOf('Hé!', 'fr', letters, () => Promise.reject(new Error('not needed')));
    // "H" has no id and becomes "h"; the accent has no id and is left out.
    assert.deepEqual(spelling?.ids, [1, 0, 20, 0, 18, 0, 4, 0, 2]);
  });
});

describe('clauses', () => {
  it('joined are the sentence', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        assert.equal(clauseTexts(text).join(''), text);
      }),
    );
  });

  it('end at punctuation, and not inside figures, abbreviations and words', () => {
    const texts = (sentence: string) => clausesOf(sentence).map(({ text }) => text.trim());
    assert.deepEqual(texts('At 12:30, e.g. 3,500 m (about 2 mi), go: now!'), [
      'At 12:30,',
      'e.g. 3,500 m (about 2 mi),',
      'go:',
      'now!',
    ]);
    assert.deepEqual(texts('今日は、晴れです。'), ['今日は、', '晴れです。']);
    assert.deepEqual(texts('a well-known e-mail'), ['a well-known e-mail']);
  });
});
