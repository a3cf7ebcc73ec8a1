import { SPEAKABLE } from '@herald-speech/client/interface';
import { type EnginePiece, VoiceError } from '../engine.js';
import type { SpelledSentence } from './spelling/spelling.js';

/** Difference of two samples below which a sentence counts as silence: 60 dB below full scale. */
const SILENCE = 64;

/**
 * Adds to each piece the text that is not spoken at its end, from the first word that is not complete.
 * @param pieces one or more for each sentence
 * @throws VoiceError after a sentence without sound, which belongs to the rest
 */
export async function* withRest(
  sentences: readonly SpelledSentence[],
  pieces: AsyncIterable<EnginePiece>,
): AsyncGenerator<EnginePiece> {
  let index = 0;
  let sentence = new SentenceProgress(sentences[0]);
  for await (const piece of pieces) {
    sentence.add(piece);
    const later = sentences.slice(index + 1).map(({ text }) => text);
    yield { ...piece, rest: [sentence.rest, ...later].filter(Boolean).join(' ') };
    if (piece.isContinued === true) continue;
    if (!sentence.isHeard) throw new VoiceError('the model returned only silence. Use another voice');
    sentence = new SentenceProgress(sentences[++index]);
  }
}

const isSound = ({ symbol }: { symbol: string }) => symbol.trim() !== '';

/** The words of a sentence that its pieces have spoken. */
class SentenceProgress {
  readonly #text: string;
  /** Words in the phonemes of the sentence. */
  readonly #count: number;
  #spoken = 0;
  #isInWord = false;
  #isOver = false;
  #lowest = Infinity;
  #highest = -Infinity;

  constructor({ text, sounds }: Pick<SpelledSentence, 'text' | 'sounds'> = { text: '', sounds: [] }) {
    this.#text = text;
    this.#count = sounds.filter(
      (sound, at) => isSound(sound) && !sounds.slice(at - 1, at).some(isSound),
    ).length;
  }

  /** Whether a sound was audible so far. */
  get isHeard(): boolean {
    return this.#highest - this.#lowest >= SILENCE;
  }

  /** The text from the first word that is not complete. */
  get rest(): string {
    if (!this.isHeard) return this.#text;
    return this.#isOver ? '' : fromWord(this.#text, (words) => this.#wordsOf(words));
  }

  add({ samples, phonemes, isContinued = false }: EnginePiece): void {
    for (const sample of samples) {
      if (this.isHeard) break;
      this.#lowest = Math.min(this.#lowest, sample);
      this.#highest = Math.max(this.#highest, sample);
    }
    for (const phoneme of phonemes) {
      if (this.#isInWord && !isSound(phoneme)) this.#spoken += 1;
      this.#isInWord = isSound(phoneme);
    }
    this.#isOver = !isContinued;
  }

  /**
   * Returns how many words of the text were certainly spoken. The voice joins some words ("of the") and speaks several words for a
   * number, so that the words of the text and of the voice may differ. Then a word is rather repeated than lost.
   */
  #wordsOf(words: number): number {
    return Math.max(0, Math.min(this.#spoken, words - (this.#count - this.#spoken)));
  }
}

/** Returns a text from a word on. */
function fromWord(text: string, choose: (words: number) => number): string {
  const words = [...text.matchAll(/\S+/gu)].filter(([word]) => SPEAKABLE.test(word));
  const word = words[choose(words.length)];
  return word === undefined ? '' : text.slice(word.index);
}
