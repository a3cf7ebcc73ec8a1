import { toPlainKana } from './japanese/spelling.js';

/** Scripts that eSpeak reads in a text of any language; it spells the others, or names each letter in English. */
const READ_EVERYWHERE = ['Common', 'Inherited', 'Latin', 'Greek', 'Cyrillic', 'Hangul', 'Devanagari'];
const READ_IN: Readonly<Record<string, readonly string[]>> = {
  ar: ['Arabic'],
  ja: ['Hiragana', 'Katakana'],
};

/** Soft hyphens, marks of direction and the like split a word for eSpeak; joiners of Hindi and of emoji stay. */
const INVISIBLE = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;
/** Letters of full or half width, units squeezed into one character, and Roman or circled numbers. */
const SQUEEZED = /[\u2103\u2109\u2113\u2160-\u217f\u2460-\u2473\u3300-\u33ff\uff00-\uffef]+/gu;
/** The middle dot and the wave dash of Japanese, which eSpeak names in English. */
const GAPS = /[\u301c\u30fb]/gu;
/** Of several in a row eSpeak would say the first word of each name. One that is joined to another stays with it. */
const EMOJI = /(?<!\u200d)\p{Extended_Pictographic}/gu;
/** Of longer numbers eSpeak loses the end, in some languages beyond 30 digits. */
const LONG_NUMBER = /\p{Nd}{20}(?=\p{Nd})/gu;
/** Characters without a space, of which eSpeak still says every one: about 53 kana, 50 of Hangul, 160 Latin letters. */
const MAX_RUN = 40;
const LONG_RUN = new RegExp(`\\S{${MAX_RUN + 1},}`, 'gu');
const RUN_PIECES = new RegExp(`.{1,${MAX_RUN}}`, 'gsu');

/** A text composed, of usual width, and without control characters and marks that can't be seen. */
export function toUsualForm(text: string): string {
  return text
    .normalize('NFC')
    .replace(SQUEEZED, (squeezed) => squeezed.normalize('NFKC'))
    .replace(INVISIBLE, '')
    .replace(/(?!\n)\p{Cc}/gu, ' ');
}

/**
 * A text as eSpeak can read it: of usual form, without lone surrogates and scripts that it does not know. Chinese
 * characters are among those, in Japanese too: eSpeak has no readings for them.
 * @param language Two-letter code.
 */
export function toReadable(text: string, language: string): string {
  const plain = language === 'ja' ? toPlainKana(toUsualForm(text)) : toUsualForm(text);
  return plain
    .replace(GAPS, ' ')
    .replace(unreadable(language), ' ')
    .replace(/\[(?=\[)/gu, '[ ') // "[[" would begin eSpeak's own phoneme names.
    .replace(EMOJI, ' $&')
    .replace(LONG_NUMBER, '$& ')
    .replace(LONG_RUN, (run) => withGaps(run, language));
}

function unreadable(language: string): RegExp {
  const scripts = [...READ_EVERYWHERE, ...(READ_IN[language] ?? [])];
  return new RegExp(`[^${scripts.map((script) => `\\p{Script=${script}}`).join('')}]`, 'gu');
}

/** Parts what is written without spaces, between words where the language's words are known. */
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

/** What ends in a full stop and is no sentence: titles, single letters ("z. B.", "J. Smith") and numbers ("3. Mai"). */
const ABBREVIATION =
  /(?:^|[\s("„«])(?:Mr|Mrs|Ms|Dr|Prof|St|Nr|No|Sr|Sra|Hr|Fr|Mme|Sig|Ing|tel|ca|bzw|vs|approx|\p{L}|\d{1,2})\.\s*$/iu;

/** The sentences of a readable text, in order, none heavier than eSpeak can bear and none without a character. */
export function sentencesOf(readable: string, language: string): string[] {
  const sentences: string[] = [];
  let pending = '';
  for (const { segment } of new Intl.Segmenter(language, { granularity: 'sentence' }).segment(readable)) {
    pending += segment;
    if (ABBREVIATION.test(segment)) continue;
    sentences.push(pending);
    pending = '';
  }
  return [...sentences, pending]
    .flatMap(cutToWeight)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
}

/**
 * A sentence that eSpeak still says to its end: it holds about a thousand sounds, or 800 letters after Hangul has come
 * apart. So are 250 letters, 125 syllables of Hangul or 50 digits and signs, which are read out as words.
 */
const MAX_WEIGHT = 250;
const HANGUL_WEIGHT = 2;
const SIGN_WEIGHT = 5;

/** A sentence of bearable weight stays whole; another one is cut between words, or within one if need be. */
function cutToWeight(sentence: string): string[] {
  const parts: string[] = [];
  let part = '';
  let weight = 0;
  for (const word of sentence.match(/\s*\S{1,40}/gu) ?? []) {
    const more = weightOf(word);
    if (weight + more > MAX_WEIGHT) {
      parts.push(part);
      [part, weight] = ['', 0];
    }
    part += word;
    weight += more;
  }
  return [...parts, part];
}

function weightOf(word: string): number {
  const hangul = word.match(/\p{Script=Hangul}/gu)?.length ?? 0;
  const signs = word.match(/[^\p{L}\p{M}\s]/gu)?.length ?? 0;
  return word.length + hangul * (HANGUL_WEIGHT - 1) + signs * (SIGN_WEIGHT - 1);
}
