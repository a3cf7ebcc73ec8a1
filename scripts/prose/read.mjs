/** Finds the English prose of a file: the text that people read. */
import { ENGLISH, LANGUAGES } from '../build/texts.mjs';

/** Strings with fewer words are names, keys and values. */
const WORDS_OF_A_SENTENCE = 4;

/** One token of a script. Strings and regular expressions are matched so that a `//` in them starts no comment. */
const SCRIPT =
  /(?<comment>\/\*[\s\S]*?\*\/|\/\/.*)|(?<string>'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\$]|\\[\s\S]|\$(?!\{)|\$\{(?:[^`{}]|`[^`]*`|\{[^{}]*\})*\})*`)|(?<=[(,=:[!&|?{};\n]\s*|\breturn\s+)\/(?![*/])(?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/\w*/g;
const MARKDOWN_CODE = /```[\s\S]*?```|`[^`\n]*`|\]\([^)\s]*\)|<[a-z/!][^>]*>/g;
const TRANSLATED = LANGUAGES.filter((language) => language !== ENGLISH).join('|');
/** The value of a key. A translation matches first, without the group `value`. */
const JSON_VALUE = new RegExp(
  String.raw`"(?:${TRANSLATED})"\s*:\s*"(?:[^"\\]|\\.)*"|(?<=:\s*)"(?<value>(?:[^"\\]|\\.)*)"`,
  'g',
);
/** The part of a help page below the heading with another language. */
const TRANSLATED_HELP = new RegExp(String.raw`^# (?:${TRANSLATED})\n(?:(?!# ).*\n?)*`, 'gm');

/**
 * Returns the text with code replaced by `·`, and code within a Markdown sentence by `…`. Line breaks stay, so offsets
 * and line numbers are the same as in the file.
 * @param {string} extension with its dot; `.md` and `.json`, any other is read as a script
 * @param {string} text
 */
export function proseOf(extension, text) {
  if (extension === '.md') {
    const english = text.replaceAll(TRANSLATED_HELP, (part) => hidden(part));
    return english.replaceAll(MARKDOWN_CODE, (token) => hidden(token, '…'));
  }
  return kept(text, extension === '.json' ? JSON_VALUE : SCRIPT);
}

/**
 * Keeps the comments and sentences that a pattern finds.
 * @param {string} text
 * @param {RegExp} pattern
 */
function kept(text, pattern) {
  let prose = '';
  let end = 0;
  for (const { 0: token, index, groups } of text.matchAll(pattern)) {
    prose += code(text.slice(end, index)) + proseOfToken(token, groups);
    end = index + token.length;
  }
  return prose + code(text.slice(end));
}

/**
 * @param {string} token
 * @param {Record<string, string | undefined>} groups
 */
function proseOfToken(token, { comment, string, value } = {}) {
  if (comment !== undefined) return withoutMarkers(comment);
  if (value !== undefined) return token;
  if (string === undefined) return hidden(token);
  const words = string.replaceAll(/\$\{(?:[^`{}]|`[^`]*`|\{[^{}]*\})*\}/g, (token) => hidden(token, '…'));
  return words.trim().split(/\s+/).length < WORDS_OF_A_SENTENCE ? hidden(token) : `·${words.slice(1, -1)}·`;
}

/**
 * Keeps white space between two comments, so that a sentence may cross several `//` lines.
 * @param {string} text
 */
function code(text) {
  return text.trim() === '' ? text : hidden(text);
}

/**
 * @param {string} text
 * @param {string} fill
 */
function hidden(text, fill = '·') {
  return text.replaceAll(/[^\n]/g, fill);
}

/**
 * Replaces the markers of a comment by spaces. The end marker also ends a sentence.
 * @param {string} comment
 */
function withoutMarkers(comment) {
  return comment
    .replaceAll(/^\s*(?:\/\*\*?|\/\/|\*(?!\/))/gm, (marker) => marker.replaceAll(/[/*]/g, ' '))
    .replace(/\*\/$/, '··');
}
