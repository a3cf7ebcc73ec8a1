/** A phoneme or sign of a sentence. */
export interface PhonemeToken {
  /** IPA without stress marks, '' for a pause, ' ' between two words. */
  symbol: string;
  /** The entries of the model's map, in order. */
  phonemes: string[];
}

/** A sentence as it was read. */
export interface ReadSentence {
  text: string;
  tokens: PhonemeToken[];
}

export const SPACE: PhonemeToken = { symbol: ' ', phonemes: [' '] };

const STRESS = /[ˈˌ]/gu;

export const phonemeToken = (phoneme: string): PhonemeToken => ({
  symbol: phoneme.replace(STRESS, ''),
  phonemes: Array.from(phoneme.normalize('NFD')),
});

export const pauseTokens = (signs: string): PhonemeToken[] =>
  Array.from(signs).map((sign) => ({ symbol: '', phonemes: [sign] }));
