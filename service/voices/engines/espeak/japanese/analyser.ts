import { z } from 'zod';
import type { Word } from './reading.js';

/** Splits a text into words. */
export type Analyse = (text: string) => Word[];

const UNKNOWN = 'UNK';
const text = z.string();

const words = z.array(
  z
    .object({
      surface: text,
      pronunciation: text.optional(),
      partOfSpeech: text.default(UNKNOWN),
      partOfSpeechSubcategory1: text.default(''),
      partOfSpeechSubcategory2: text.default(''),
    })
    .transform(
      ({
        surface,
        pronunciation,
        partOfSpeech,
        partOfSpeechSubcategory1,
        partOfSpeechSubcategory2,
      }): Word => ({
        surface,
        pronunciation,
        partOfSpeech,
        subcategories: [partOfSpeechSubcategory1, partOfSpeechSubcategory2],
      }),
    ),
);

/**
 * Loads the dictionary, which takes about 160 MB of memory.
 * @returns a function that splits a text into words, including spaces. It blocks the thread.
 */
export async function loadAnalyser(): Promise<Analyse> {
  const { TokenizerBuilder } = await import('lindera-wasm-nodejs-ipadic');
  const builder = new TokenizerBuilder();
  builder.setDictionary('embedded://ipadic');
  builder.setMode('normal');
  builder.setKeepWhitespace(true);
  const tokenizer = builder.build();
  return (text) => words.parse(tokenizer.tokenize(text));
}
