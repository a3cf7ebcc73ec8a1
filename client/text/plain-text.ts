/** Removes markup (SSML, HTML, Markdown) and emoji from a text, because a service would read them aloud. */
import { lazy } from '../base/lazy.js';

/** A text without markup and emoji. */
interface PlainText {
  text: string;
  /** The removed kinds. Empty if the text is unchanged. */
  removed: ('markup' | 'emoji')[];
}

/** A pattern and its replacement. Each pattern takes linear time: it cannot repeat across its own first character. */
type Replacement = readonly [pattern: RegExp, replacement: string];

// oxlint-disable-next-line growth/regexp-time -- follows the name of a tag, and no tag contains "<"
const ATTRIBUTE = /\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'|[^\s"'<>=]+)/;
// oxlint-disable-next-line growth/regexp-time -- as ATTRIBUTE
const FLAG = /\s+(?:async|checked|controls|defer|disabled|hidden|muted|open|required|selected)/;
/** The rest of a tag. A word without "=" is not an attribute: "a <b and c> d" is a comparison. */
const TAG_END = `(?:${ATTRIBUTE.source}|${FLAG.source})*\\s*/?>`;
/** Elements that separate words. */
const BLOCKS =
  'article|blockquote|br|break|dd|div|dl|dt|footer|form|h[1-6]|header|hr|li|main|nav|ol|p|pre|s|section|speak|table|td|th|tr|ul';

const tags: readonly Replacement[] = [
  [/<!--(?:[^-<]|-(?!->)|<(?!!--))*-->/g, ' '],
  [/<(?:!DOCTYPE|\?xml)\b[^<>]*>/gi, ''],
  [/<!\[CDATA\[([^<\]]*)\]\]>/g, '$1'],
  [/<(script|style)\b[^<>]*>[^<]*<\/\1\s*>/gi, ''],
  [new RegExp(`</?(?:${BLOCKS})${TAG_END}`, 'gi'), '\n'],
  [new RegExp(`</?[A-Za-z][\\w:.-]*${TAG_END}`, 'g'), ''],
];

const markdown: readonly Replacement[] = [
  [/^[ \t]*(?:```|~~~)[`~]*/gm, ''],
  [/!?\[([^[\]\n]+)\]\([^()\s]*(?: "[^"\n()]*")?\)/g, '$1'],
  [/^[ \t]{0,3}#{1,6}[ \t]+([^\n]*)/gm, '\n$1\n'],
  [/^[ \t]{0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/gm, ''],
  [/^[ \t]*>[ \t]+(?=\p{L})/gmu, ''],
  [/^[ \t]*[-*+][ \t]+(?=[^\s\d])([^\n]*)/gm, '\n$1\n'],
  [/^[ \t]*\|(?:[ \t]*:?-+:?[ \t]*\|)+[ \t]*$/gm, ''],
  [/(?<!`)`([^`\n]+)`(?!`)/g, '$1'],
  [/(?<![\w*\\])\*\*\*(?=[^\s*])([^*\n]*[^\s*\\])\*\*\*/g, '$1'],
  [/(?<![\w*\\])\*\*(?=[^\s*])((?:[^*\n]|\*(?!\*))*[^\s*\\])\*\*/g, '$1'],
  [/(?<![\w*\\])\*(?=[^\s*])([^*\n]*[^\s*\\])\*(?![\w*])/g, '$1'],
  [/(?<![\w\\])(__?)(?=[^\s_])([^_\n]*[^\s_\\])\1(?!\w)/g, '$2'],
  [/~~(?=[^\s~])([^~\n]+)~~/g, '$1'],
];

/** The first or last line of a block of code. Only the first line may name a language. */
const FENCE = /^(?<mark>```|~~~)[`~]* ?(?<name>[\w+#.-]*)$/;

/** The cells of a table row in Markdown. */
const ROW = /^[ \t]*\|([^\n]+)\|[ \t]*$/gm;

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  apos: "'",
  gt: '>',
  lt: '<',
  nbsp: ' ',
  quot: '"',
};
const ENTITY = /&(?:(amp|apos|gt|lt|nbsp|quot)|#(\d{1,7})|#x([\da-f]{1,6}));/gi;

/** A digit on a key, as emoji. The digit remains. */
export const KEYCAP = /([\d#*])\uFE0F?\u20E3/g;
/** One emoji. The excluded characters are common in plain text. */
const ONE = '(?:\\p{RGI_Emoji}|[[\\p{Emoji_Presentation}\\p{Extended_Pictographic}]--[©®™‼⁉ℹ〰〽㊗㊙↔-↪]])';
const PARTS = '[\\u{FE0E}\\u{FE0F}\\u{1F3FB}-\\u{1F3FF}]*';
/** Emoji with their joined parts. Built on first use: it takes as long as a fifth of the start of all nodes. */
export const emojiPattern = lazy(() => new RegExp(`${ONE}${PARTS}(?:\\u200D${ONE}${PARTS})*`, 'gv'));

/** A text of characters that no pattern above removes or needs. */
const PLAIN = /^[\p{L}\p{N}\s.,;:?!'"()%]*$/u;

/**
 * Returns a text without tags, entities, Markdown and emoji. Keeps their content, such as the words of a link. Other
 * characters stay, such as "<" in "5 < 7".
 */
export function plainText(text: string): PlainText {
  if (PLAIN.test(text)) return { text, removed: [] };
  const unmarked = withoutMarkup(text);
  const plain = unmarked.replace(KEYCAP, '$1').replace(emojiPattern(), ' ');
  const removed: PlainText['removed'] = [];
  if (unmarked !== text) removed.push('markup');
  if (plain !== unmarked) removed.push('emoji');
  return { text: removed.length === 0 ? text : tidy(plain), removed };
}

function withoutMarkup(text: string): string {
  const unfenced = withoutFences(replaceAll(text, tags));
  return replaceAll(unfenced, markdown).replace(ROW, cellsOf).replace(ENTITY, characterOf);
}

/** Removes the first and the last line of each block of code. The word after an opening without an end is spoken. */
function withoutFences(text: string): string {
  if (!/```|~~~/.test(text)) return text;
  const lines = text.split('\n');
  let opening: { line: number; mark: string } | undefined;
  for (const [line, content] of lines.entries()) {
    const { mark = '', name } = FENCE.exec(content.trim())?.groups ?? {};
    if (name === undefined) continue;
    opening ??= { line, mark };
    if (opening.line === line || name !== '' || mark !== opening.mark) continue;
    lines[opening.line] = lines[line] = '';
    opening = undefined;
  }
  return lines.join('\n');
}

const replaceAll = (text: string, replacements: readonly Replacement[]): string =>
  replacements.reduce((before, [pattern, replacement]) => before.replace(pattern, replacement), text);

function cellsOf(_row: string, cells: string): string {
  const words = cells.split('|').map((cell) => cell.trim());
  return `${words.filter((word) => word !== '').join(', ')}\n`;
}

function characterOf(entity: string, name?: string, decimal?: string, hex?: string): string {
  if (name !== undefined) return entities[name.toLowerCase()] ?? entity;
  const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
  return code <= 0x10ffff ? String.fromCodePoint(code) : entity;
}

/** Removes the white space that surrounded markup. */
function tidy(text: string): string {
  return text
    .replace(/[ \t]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
