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
}

/**
 * Splits a text into sentences, in order and without surrounding whitespace. A sentence over the maximum weight is cut
 * between words, or within a word if necessary.
 */
export function splitSentences(text: string, rules: SentenceRules): string[] {
  const words = new RegExp(`\\s*\\S{1,${rules.maxWord}}`, 'gu');
  return [...joinAbbreviations(text, rules)]
    .flatMap((sentence) => [...cutByWeight(sentence.match(words) ?? [], rules)])
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
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

function* cutByWeight(words: readonly string[], { weightOf, maxWeight }: SentenceRules): Generator<string> {
  let sentence = '';
  let total = 0;
  for (const word of words) {
    const weight = weightOf(word);
    if (total + weight > maxWeight) {
      yield sentence;
      [sentence, total] = ['', 0];
    }
    sentence += word;
    total += weight;
  }
  yield sentence;
}
