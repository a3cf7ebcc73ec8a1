/** A phoneme or sign of a sentence. */
export interface Token {
  /** IPA without stress marks, '' for a pause, ' ' between two words. */
  symbol: string;
  /** The entries of the model's map, in order. */
  phonemes: string[];
}

/** A sentence as it was read. */
export interface ReadSentence {
  text: string;
  tokens: Token[];
}

export const SPACE: Token = { symbol: ' ', phonemes: [' '] };

const STRESS = /[ˈˌ]/gu;

export const phonemeToken = (phoneme: string): Token => ({
  symbol: phoneme.replace(STRESS, ''),
  phonemes: Array.from(phoneme.normalize('NFD')),
});

export const pauseTokens = (signs: string): Token[] =>
  Array.from(signs).map((sign) => ({ symbol: '', phonemes: [sign] }));
