import { emojiPattern, KEYCAP } from '@herald-speech/client/text';

type Names = Readonly<Record<string, string>>;

/** Most texts have no emoji and need neither the pattern nor the names. */
const MAY_HAVE = /[\p{Extended_Pictographic}\p{Regional_Indicator}\u20e3]/u;
const NOT_SPOKEN = /[\u{fe0e}\u{fe0f}]/gu;
const SKIN_TONES = /[\u{1f3fb}-\u{1f3ff}]/gu;

/** Returns a text without emoji. The digit on a key stays. */
export const withoutEmoji = (text: string): string => replaced(text, () => '');

/**
 * Returns a text with the names of emoji in place of them: "party popper" for 🎉. The tones of skin are not named.
 * @param language Two-letter code. In a language without names, emoji are removed.
 */
export function withEmojiNames(text: string, language: string): string {
  const names = MAY_HAVE.test(text) ? namesIn(language) : {};
  return replaced(text, (emoji) => nameOf(emoji, names));
}

let rows: RegExp | undefined;

/** A row of emoji is a list. Letters beside an emoji are another word. */
function replaced(text: string, nameOfEmoji: (emoji: string) => string): string {
  if (!MAY_HAVE.test(text)) return text;
  const emoji = emojiPattern();
  // The compilation takes milliseconds.
  rows ??= new RegExp(`(?:(?:${emoji.source})\\p{Zs}*)+`, 'gv');
  return text.replace(KEYCAP, '$1').replace(rows, (row, offset: number, whole: string) => {
    const names = (row.match(emoji) ?? []).map(nameOfEmoji).filter((name) => name !== '');
    const [before, after] = [whole.charAt(offset - 1), whole.charAt(offset + row.length)];
    const start = names.length === 0 || before === '' || /\s/u.test(before) ? '' : ' ';
    const isGap = /[\p{L}\p{N}(]/u.test(after) && (names.length > 0 || before.trim() !== '');
    return `${start}${names.join(', ')}${isGap ? ' ' : ''}`;
  });
}

/** The name of a sequence without a name is the names of its parts. */
function nameOf(emoji: string, names: Names): string {
  const plain = emoji.replace(NOT_SPOKEN, '');
  const bare = plain.replace(SKIN_TONES, '');
  const parts = bare.split('\u200d').map((part) => names[part] ?? '');
  return names[plain] ?? names[bare] ?? parts.filter((part) => part !== '').join(' ');
}

const loaded = new Map<string, Names>();

function namesIn(language: string): Names {
  let names = loaded.get(language);
  if (names === undefined) loaded.set(language, (names = load(language)));
  return names;
}

/** The names of a language are read with its first emoji. */
function load(language: string): Names {
  if (!/^[a-z]{2}$/u.test(language)) return {};
  try {
    return require(`../data/emoji/${language}.json`);
  } catch {
    return {};
  }
}
