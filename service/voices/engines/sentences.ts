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
}

/**
 * Splits a text into sentences, in order and without surrounding whitespace. A sentence over the maximum weight is cut
 * between clauses if the rules know them, otherwise between words, or within a word if necessary.
 */
export function splitSentences(text: string, rules: SentenceRules): string[] {
  return [...joinAbbreviations(text, rules)]
    .flatMap((sentence) => [...cutByWeight(unitsOf(sentence, rules), rules.maxWeight)])
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
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
    sentence += segment;
    if (abbreviation.test(segment)) continue;
    yield sentence;
    sentence = '';
  }
  yield sentence;
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
