import { pauseTokens, phonemeToken, type ReadSentence, SPACE, type PhonemeToken } from './tokens.js';

const BLOCK = /\[\[([^[\]]*)\]\]/u;
const GAP: ReadSentence = { text: ' ', tokens: [SPACE] };
/** Punctuation right after a block. */
const MARK_AFTER = /^\s*([,;:.!?])(?=\s|$)/u;
const SENTENCE_END = /[.!?。！？…]["')»”]*\s*$/u;
/** A sound with its stress before it, and with its marks of length and kind after it. */
const SOUND = /[ˈˌ]?[^ˈˌ][\p{M}ːˑʰʲʷˤ˞]*/gu;

/**
 * Reads a text with phonemes between `[[` and `]]`, as the reference program does: "The [[həlˈoʊ]] is new." Brackets with a symbol that
 * the voice does not know are text.
 * @param isKnown whether the voice has ids for a phoneme
 * @param read returns the sentences of a text. Without punctuation at its end, a sentence has a full stop.
 */
export async function withPhonemeBlocks(
  text: string,
  isKnown: (phoneme: string) => boolean,
  read: (text: string) => Promise<ReadSentence[]>,
): Promise<ReadSentence[]> {
  const parts = text.split(BLOCK);
  const areKnown = parts.every(
    (part, at) => at % 2 === 0 || Array.from(part.normalize('NFD')).every(isKnown),
  );
  if (parts.length === 1 || !areKnown) return read(text);
  const sentences = new OpenSentences();
  for (const [at, part] of parts.entries()) {
    if (at % 2 === 1) sentences.add([{ text: '', tokens: blockTokens(part) }]);
    else await addText(sentences, part, at === parts.length - 1, read);
  }
  return sentences.finished();
}

async function addText(
  sentences: OpenSentences,
  text: string,
  isLast: boolean,
  read: (text: string) => Promise<ReadSentence[]>,
): Promise<void> {
  const mark = sentences.isOpen ? (MARK_AFTER.exec(text)?.[1] ?? '') : '';
  sentences.add([{ text: mark, tokens: pauseTokens(mark) }]);
  if (SENTENCE_END.test(mark)) sentences.end();
  const rest = mark === '' ? text : text.slice(text.indexOf(mark) + mark.length);
  if (/^\s/u.test(rest) && sentences.isOpen) sentences.add([GAP]);
  const own = await read(rest);
  const isOpen = !isLast && !SENTENCE_END.test(rest);
  const last = own.at(-1);
  // The sentence goes on, so it has no full stop yet.
  if (isOpen && last?.tokens.at(-1)?.phonemes.join('') === '.') last.tokens.pop();
  sentences.add(own);
  if (!isOpen && own.length > 0) sentences.end();
  else if (own.length > 0 && /\s$/u.test(rest)) sentences.add([GAP]);
}

/** Sentences of which the last one may go on. */
class OpenSentences {
  readonly #all: ReadSentence[] = [];
  #isOpen = false;

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Adds sentences, the first of them to the open one. */
  add([first, ...others]: readonly ReadSentence[]): void {
    if (first === undefined || first.tokens.length === 0) return;
    const open = this.#isOpen ? this.#all.pop() : undefined;
    const [text, tokens] = [`${open?.text ?? ''}${first.text}`, [...(open?.tokens ?? []), ...first.tokens]];
    this.#all.push({ text, tokens }, ...others);
    this.#isOpen = true;
  }

  end(): void {
    this.#isOpen = false;
  }

  finished(): ReadSentence[] {
    if (this.#isOpen) this.add([{ text: '', tokens: pauseTokens('.') }]);
    return this.#all;
  }
}

/** Returns the sounds of a block, with a space between its words. */
function blockTokens(block: string): PhonemeToken[] {
  const words = block.split(/\s+/u).filter(Boolean);
  return words.flatMap((word, at) => [
    ...(at === 0 ? [] : [SPACE]),
    ...(word.normalize('NFD').match(SOUND) ?? []).map(phonemeToken),
  ]);
}
