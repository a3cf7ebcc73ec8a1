import { withoutEmoji } from '../normalize/emoji/emoji.js';
import { normalizeText } from '../normalize/normalize-text.js';
import { withSignWords } from './signs.js';
import { toUsualForm } from './text.js';

/**
 * Returns a text in its usual form, without emoji, with figures and signs as words that eSpeak reads correctly.
 * @param tag Language, and optionally a region: "en-GB". eSpeak reads Japanese with `readJapanese`.
 * @param isReading Whether figures stay as the caller wrote them.
 */
export function textInWords(text: string, tag: string, isReading = false): string {
  const language = tag.slice(0, 2).toLowerCase();
  const usual = withoutEmoji(toUsualForm(text));
  const words = withSignWords(isReading ? usual : normalizeText(usual, tag), language);
  return language === 'de' ? withParts(words) : words;
}

const UNITS = 'eins|eine|ein|zwei|drei|vier|fünf|sechs|sieben|acht|neun';
const TEENS = 'zehn|elf|zwölf|dreizehn|vierzehn|fünfzehn|sechzehn|siebzehn|achtzehn|neunzehn';
const TENS = 'zwanzig|dreißig|dreissig|vierzig|fünfzig|sechzig|siebzig|achtzig|neunzig';
const ORDINALS =
  'erste|zweite|dritte|vierte|fünfte|sechste|siebte|siebente|achte|neunte|zehnte|elfte|zwölfte';
const ENDING = '(?:s?te[nrsml]?(?!\\p{L}))?';
/** Longer words come first: "dreizehn" is one part. */
const PART = `(?:${ORDINALS})[nrsml]?|(?:${TEENS}|${TENS}|hundert|tausend)${ENDING}|${UNITS}|und`;
const NUMBER_WORD = new RegExp(`(?<!\\p{L})(?:${PART}){2,}(?!\\p{L})`, 'giu');

/**
 * Returns a German text with the parts of number words as separate words. eSpeak reads "zweiundvierzig" as one word with a
 * soft first sound of "vierzig" and a wrong stress; the parts alone are right.
 */
export function withParts(text: string): string {
  return text.replace(NUMBER_WORD, (word) => (word.match(new RegExp(PART, 'giu')) ?? [word]).join(' '));
}
