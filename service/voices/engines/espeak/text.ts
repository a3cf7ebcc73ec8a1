import { type SentenceRules, splitSentences } from '../sentences.js';
import { toPlainKana } from './japanese/spelling.js';

/** Scripts that eSpeak reads in any language. It spells other scripts, or names each letter in English. */
const READ_EVERYWHERE = ['Common', 'Inherited', 'Latin', 'Greek', 'Cyrillic', 'Hangul', 'Devanagari'];
/** Scripts that are made of others, by their name in `Intl`. eSpeak has no readings for the Chinese characters of Japanese. */
const MIXED: Readonly<Record<string, readonly string[]>> = {
  Hans: ['Han'],
  Hant: ['Han'],
  Jpan: ['Hiragana', 'Katakana'],
  Kore: ['Hangul'],
};

/** Soft hyphens, direction marks and the like, which split a word for eSpeak. Joiners of Hindi and of emoji stay. */
const INVISIBLE = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;
/** The vowel of a doubled Arabic letter before the sign of its doubling, the order of Unicode's normal forms. eSpeak drops this vowel. */
const VOWEL_OF_DOUBLED = /([\u064b-\u0650])\u0651/gu;
/** Full-width and half-width letters, units in one character, and Roman or circled numbers. */
const COMPATIBILITY = /[\u2103\u2109\u2113\u2160-\u217f\u2460-\u2473\u3300-\u33ff\uff00-\uffef]+/gu;
/** Chinese has no space after the end of a clause. */
const CHINESE_CLAUSE = /(?<=\p{Script=Han})[,;:!?](?=\p{Script=Han})/gu;
/** The Japanese middle dot and wave dash, which eSpeak names in English. */
const GAPS = /[\u301c\u30fb]/gu;
/** Emoji. In a row of emoji, eSpeak speaks the first word of each name only. A joined emoji stays with its neighbour. */
const EMOJI = /(?<!\u200d)\p{Extended_Pictographic}/gu;
/** eSpeak drops the end of longer numbers, in some languages from 30 digits on. */
const LONG_NUMBER = /\p{Nd}{20}(?=\p{Nd})/gu;
/** Maximum length of a run without spaces. eSpeak drops the rest of a longer run: after 53 kana, 50 Hangul or 160 Latin letters. */
const MAX_RUN = 40;
const LONG_RUN = new RegExp(`\\S{${MAX_RUN + 1},}`, 'gu');
const RUN_PIECES = new RegExp(`.{1,${MAX_RUN}}`, 'gsu');

/** Composes a text, converts it to usual width and removes control characters and invisible marks. */
export function toUsualForm(text: string): string {
  return text
    .normalize('NFC')
    .replace(VOWEL_OF_DOUBLED, '\u0651$1')
    .replace(COMPATIBILITY, (characters) => characters.normalize('NFKC'))
    .replace(CHINESE_CLAUSE, '$& ')
    .replace(INVISIBLE, '')
    .replace(/(?!\n)\p{Cc}/gu, ' ');
}

/**
 * Converts a text to a form that eSpeak can read: the usual form, without lone surrogates and scripts that the language does not use.
 * Chinese characters are unknown in Japanese, because eSpeak has no readings for them.
 * @param language Two-letter code.
 */
export function toEspeakText(text: string, language: string): string {
  const plain = language === 'ja' ? toPlainKana(toUsualForm(text)) : toUsualForm(text);
  return plain
    .replace(GAPS, ' ')
    .replace(unreadable(language), ' ')
    .replace(/\[(?=\[)/gu, '[ ') // "[[" starts eSpeak's phoneme names.
    .replace(EMOJI, ' $&')
    .replace(LONG_NUMBER, '$& ')
    .replace(LONG_RUN, (run) => withGaps(run, language));
}

function unreadable(language: string): RegExp {
  const { script = 'Latn' } = new Intl.Locale(language).maximize();
  const scripts = [...READ_EVERYWHERE, ...(MIXED[script] ?? [script])];
  return new RegExp(`[^${scripts.map((script) => `\\p{Script=${script}}`).join('')}]`, 'gu');
}

/** Adds spaces to a long run, between words if `Intl.Segmenter` knows the words of the language. */
function withGaps(run: string, language: string): string {
  let gapped = '';
  let length = 0;
  for (const { segment } of new Intl.Segmenter(language, { granularity: 'word' }).segment(run)) {
    for (const piece of segment.match(RUN_PIECES) ?? []) {
      const isFull = length + piece.length > MAX_RUN;
      gapped += isFull ? ` ${piece}` : piece;
      length = isFull ? piece.length : length + piece.length;
    }
  }
  return gapped;
}

/** Titles, single letters ("z. B.", "J. Smith") and numbers ("3. Mai"), whose full stop does not end a sentence. */
const ABBREVIATION =
  /(?:^|[\s("„«])(?:Mr|Mrs|Ms|Dr|Prof|St|Nr|No|Sr|Sra|Hr|Fr|Mme|Sig|Ing|tel|ca|bzw|vs|approx|\p{L}|\d{1,2})\.\s*$/iu;

/**
 * eSpeak truncates a sentence after about a thousand sounds, or 800 letters after the decomposition of Hangul. 250
 * letters, 125 Hangul syllables, or 50 digits and signs, which are read as words, stay below these limits.
 */
const MAX_WEIGHT = 250;
const HANGUL_WEIGHT = 2;
const SIGN_WEIGHT = 5;

/**
 * Splits a readable text into sentences that eSpeak speaks completely.
 * @param own Rules in place of those for eSpeak's audio.
 */
export function espeakSentences(
  readable: string,
  language: string,
  own: Partial<SentenceRules> = {},
): string[] {
  const segmenter = new Intl.Segmenter(language, { granularity: 'sentence' });
  const rules: SentenceRules = {
    segments: (text) => Array.from(segmenter.segment(text), ({ segment }) => segment),
    abbreviation: ABBREVIATION,
    maxWeight: MAX_WEIGHT,
    weightOf,
    maxWord: MAX_RUN,
    ...own,
  };
  return splitSentences(readable, rules);
}

function weightOf(word: string): number {
  const hangul = word.match(/\p{Script=Hangul}/gu)?.length ?? 0;
  const signs = word.match(/[^\p{L}\p{M}\s]/gu)?.length ?? 0;
  return word.length + hangul * (HANGUL_WEIGHT - 1) + signs * (SIGN_WEIGHT - 1);
}
