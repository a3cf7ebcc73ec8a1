import type { VoiceConfig } from '../../../installed/voice-config.js';
import { textInWords } from '../../espeak/in-words.js';
import { espeakSentences, toEspeakText } from '../../espeak/text.js';
import { type Clause, clausesOf, clauseTexts, withComma } from './clauses.js';
import { joinClusters } from './clusters.js';
import { withPhonemeBlocks } from './phoneme-blocks.js';
import { pauseTokens, phonemeToken, type ReadSentence, SPACE, type PhonemeToken } from './tokens.js';

/** Converts texts to phonemes, in the form of the reply `phonemes` of eSpeak's process. */
export type ReadPhonemes = (voice: string, texts: string[]) => Promise<string[]>;
/** Converts a Japanese text to kana. */
export type ReadKana = (text: string) => Promise<string>;

/** A sound of a sentence. */
export interface SpelledPhoneme {
  /** IPA without stress marks, '' for a pause, ' ' between two words. */
  symbol: string;
  /** Number of ids of the sound, with its pads. */
  ids: number;
}

/** The input of the model for one sentence. */
export interface Spelling {
  ids: number[];
  /** In order; their ids together are `ids`. */
  sounds: SpelledPhoneme[];
  /** Whether the sentence goes on after it. */
  isPart: boolean;
}

/** A sentence with its text in words, as it was read. Phonemes between brackets have no text. */
export interface SpelledSentence extends Spelling {
  text: string;
}

/**
 * Converts a text to the input of a voice's model, sentence by sentence. Sentences without sounds are left out.
 * @param tag Language, and the region of the voice if it is known: "en-GB".
 * @param options `kana` for a Japanese voice whose phonemes are those of eSpeak; `isReading` if figures stay as the caller wrote them
 * @throws Error if eSpeak does not know the voice of the config
 */
export async function spellingsOf(
  text: string,
  tag: string,
  config: VoiceConfig,
  read: ReadPhonemes,
  { kana, isReading = false }: { kana?: ReadKana; isReading?: boolean } = {},
): Promise<SpelledSentence[]> {
  const isJapanese = tag.startsWith('ja') && config.phonemeType === 'espeak';
  const language = tag.slice(0, 2);
  const words = (part: string) => withQuestionMarks(textInWords(joinLines(part), tag, isReading), language);
  const readPart = async (part: string) =>
    sentencesIn(words(isJapanese && kana ? await kana(part) : part), language, config, read);
  const isKnown = (phoneme: string) => config.phonemeIds.has(phoneme);
  const sentences =
    config.phonemeType === 'text' ? await readPart(text) : await withPhonemeBlocks(text, isKnown, readPart);
  return sentences
    .map((sentence) => ({ ...spell(sentence.tokens, config), text: sentence.text }))
    .filter(isAudible);
}

async function sentencesIn(
  words: string,
  language: string,
  config: VoiceConfig,
  read: ReadPhonemes,
): Promise<ReadSentence[]> {
  const readable = config.phonemeType === 'espeak' ? toEspeakText(words, language) : words;
  const sentences = espeakSentences(readable, language, RULES);
  const clauses = () => sentences.map((sentence) => readableClauses(sentence, language));
  const tokens =
    config.phonemeType === 'text' ? sentences.map(lettersOf) : await readAll(clauses(), config, read);
  return tokens.map((each, at) => ({ text: sentences[at] ?? '', tokens: each }));
}

/** Models speak longer sentences than eSpeak. Their memory grows with the square of the length. */
const RULES = { maxWeight: 500, clauses: clauseTexts, endPart: withComma };

const LINE_END = /\r\n|[\n\r\u2028]/gu;
/** The start of an item of a list. */
const ITEM = /^(?:[-*•–]|\d{1,3}[.)])\s/u;
const LONGEST_ITEM = 5;

/** Replaces the end of a line by a space. The end of a paragraph or of an item of a list stays. */
function joinLines(text: string): string {
  return text.replace(/\s+/gu, (space, start: number) => {
    const next = start + space.length;
    const goesOn = !ITEM.test(text.slice(next, next + LONGEST_ITEM));
    return goesOn && space.match(LINE_END)?.length === 1 ? ' ' : space;
  });
}

/** The Greek question mark is a semicolon after normalization. */
function withQuestionMarks(text: string, language: string): string {
  return language === 'el' ? text.replaceAll(';', '?') : text;
}

function isAudible({ sounds }: Spelling): boolean {
  return sounds.some(({ symbol }) => symbol.trim() !== '');
}

/** UTF-16 code units that eSpeak reads at once, whatever the signs. */
const SURELY_READ = 50;

/** Returns the clauses of a sentence. A clause that is too long for eSpeak has several parts. */
function readableClauses(sentence: string, language: string): Clause[] {
  return clausesOf(sentence).flatMap(({ text, mark }) => {
    if (text.length <= SURELY_READ) return { text, mark };
    const parts = espeakSentences(text, language);
    return parts.map((part, index) => ({ text: part, mark: index === parts.length - 1 ? mark : '' }));
  });
}

/** Clauses of a request to eSpeak's process. */
const BATCH = 100;

/** Reads the clauses of all sentences together. */
async function readAll(
  clauses: readonly Clause[][],
  config: VoiceConfig,
  read: ReadPhonemes,
): Promise<PhonemeToken[][]> {
  const texts = clauses.flat().map(({ text }) => text);
  const phonemes: string[] = [];
  while (phonemes.length < texts.length) {
    phonemes.push(...(await read(config.espeakVoice, texts.slice(phonemes.length, phonemes.length + BATCH))));
  }
  let next = 0;
  return clauses.map((sentence) =>
    tokensOf(sentence.map((clause) => ({ ...clause, phonemes: phonemes[next++] ?? '' }))),
  );
}

/** eSpeak's mark of a change of language, such as `(en)`. */
const SWITCH = /\([^()]*\)/gu;

/** Joins the phonemes of the clauses with their punctuation. A sentence without punctuation at its end gets a full stop. */
function tokensOf(clauses: ReadonlyArray<Clause & { phonemes: string }>): PhonemeToken[] {
  const spoken = clauses.filter(({ phonemes }) => phonemes.trim() !== '');
  return spoken.flatMap(({ phonemes, mark }, index) => {
    const isLast = index === spoken.length - 1;
    const end = mark === '' && isLast ? '.' : mark;
    const gap = isLast ? [] : end === '' ? [SPACE] : pauseTokens(' ');
    return [...phonemeTokens(phonemes), ...pauseTokens(end), ...gap];
  });
}

function phonemeTokens(phonemes: string): PhonemeToken[] {
  const plain = phonemes.replace(SWITCH, '').replaceAll(' | ', ' ').trim();
  return plain
    .split(/(\s+)|_/u)
    .filter((token) => token !== undefined && token !== '')
    .map((token) => (token.trim() === '' ? SPACE : phonemeToken(token)));
}

/** Returns the characters of a sentence, for a model that reads text. Only letters and digits are sounds. */
function lettersOf(sentence: string): PhonemeToken[] {
  const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(sentence);
  return Array.from(characters, ({ segment }) => ({
    symbol: /[\p{L}\p{N}]/u.test(segment) ? segment : segment.trim() === '' ? ' ' : '',
    phonemes: Array.from(segment.normalize('NFD')),
  }));
}

/**
 * Writes the ids of a sentence: start and pad, then each phoneme's ids and a pad, then the end. Phonemes that the map does
 * not know are left out, as in the reference implementation.
 */
function spell(tokens: readonly PhonemeToken[], { phonemeIds, clusters }: VoiceConfig): Spelling {
  const idsOf = (phoneme: string) => phonemeIds.get(phoneme) ?? phonemeIds.get(phoneme.toLowerCase()) ?? [];
  const pad = idsOf('_');
  const padded = (phoneme: string) => {
    const ids = idsOf(phoneme);
    return ids.length === 0 ? [] : [...ids, ...pad];
  };
  const parts = [
    { symbol: '', ids: padded('^') },
    ...joinClusters(tokens, clusters).map(({ symbol, phonemes }) => ({
      symbol,
      ids: phonemes.flatMap(padded),
    })),
    { symbol: '', ids: idsOf('$') },
  ];
  const sounds = parts.map(({ symbol, ids }) => ({ symbol, ids: ids.length }));
  return {
    ids: parts.flatMap(({ ids }) => ids),
    sounds: sounds.filter(({ ids }) => ids > 0),
    isPart: /[,;:]/u.test(tokens.at(-1)?.phonemes.join('') ?? ''),
  };
}
