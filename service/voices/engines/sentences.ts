/** The parts of sentence splitting that depend on the engine. */
export interface SentenceRules {
  /** Splits a text at possible ends of sentences. The segments joined are the text. */
  segments(text: string): Iterable<string>;
  /** Matches a segment that ends with an abbreviation, so that the sentence continues. */
  abbreviation: RegExp;
  /** Maximum weight of a sentence that the engine speaks reliably. */
  maxWeight: number;
  /** Weight of a word, including the whitespace before it. */
  weightOf(word: string): number;
  /** UTF-16 code units without whitespace that stay together; a longer word is cut. */
  maxWord: number;
  /** Splits a sentence into clauses, between which it may be cut. Without it, a long sentence is cut between any words. */
  clauses?(sentence: string): readonly string[];
  /** Ends a part of a sentence that continues in the next part. Without it, the part stays as it is. */
  endPart?(part: string): string;
}

/**
 * Splits a text into sentences, in order and without surrounding whitespace. A sentence over the maximum weight is cut
 * between clauses if the rules know them, otherwise between words, or within a word if necessary.
 */
export function splitSentences(text: string, rules: SentenceRules): string[] {
  return [...joinAbbreviations(text, rules)]
    .flatMap((sentence) => partsOf(sentence, rules))
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
}

function partsOf(sentence: string, rules: SentenceRules): string[] {
  const parts = [...cutByWeight(unitsOf(sentence, rules), rules.maxWeight)];
  const { endPart = (part: string) => part } = rules;
  return parts.map((part, index) => (index < parts.length - 1 ? endPart(part) : part));
}

/** A part of a sentence that stays together. */
interface Unit {
  text: string;
  weight: number;
}

/** Returns the clauses of a sentence, and the words of a clause that is too long. */
function unitsOf(sentence: string, rules: SentenceRules): Unit[] {
  const clauses = rules.clauses?.(sentence) ?? [];
  if (clauses.length === 0) return wordsOf(sentence, rules);
  return clauses.flatMap((text) => {
    const words = wordsOf(text, rules);
    const weight = words.reduce((sum, word) => sum + word.weight, 0);
    return weight > rules.maxWeight ? words : [{ text, weight }];
  });
}

function wordsOf(text: string, { weightOf, maxWord }: SentenceRules): Unit[] {
  const words = text.match(new RegExp(`\\s*\\S{1,${maxWord}}`, 'gu')) ?? [];
  return words.map((word) => ({ text: word, weight: weightOf(word) }));
}

function* joinAbbreviations(text: string, { segments, abbreviation }: SentenceRules): Generator<string> {
  let sentence = '';
  for (const segment of segments(text)) {
    if (sentence !== '' && !abbreviation.test(sentence) && !isInsideWord(sentence, segment)) {
      yield sentence;
      sentence = '';
    }
    sentence += segment;
  }
  yield sentence;
}

/** A sign without white space after it, and a word before it. */
const TIGHT_END = /[.!?]["'\p{Pe}\p{Pf}]*$/u;
const WORD_END = /(?:^|\s)\p{L}+[!?]+$/u;

/** Whether a sign is inside of a word or an address: "a?b=1", but not "Hello!World" and "안녕!반가워". */
function isInsideWord(before: string, after: string): boolean {
  if (!TIGHT_END.test(before) || /^(?:\s|\p{Lo})/u.test(after)) return false;
  return !(WORD_END.test(before) && /^\p{Lu}/u.test(after));
}

function* cutByWeight(units: readonly Unit[], maxWeight: number): Generator<string> {
  let sentence = '';
  let total = 0;
  for (const { text, weight } of units) {
    if (total + weight > maxWeight) {
      yield sentence;
      [sentence, total] = ['', 0];
    }
    sentence += text;
    total += weight;
  }
  yield sentence;
}
