/** Returns samples as base64 of 16-bit integers, little-endian. */
export const encodedSamples = ({ buffer, byteOffset, byteLength }: Int16Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('base64');

/** Reads samples from base64 of 32-bit floats, little-endian. */
export function decodedSamples(text: string): Float32Array {
  const bytes = Buffer.from(text, 'base64');
  return Float32Array.from({ length: bytes.length / 4 }, (_, place) => bytes.readFloatLE(4 * place));
}

/** Returns the correlation of two signals, from -1 to 1. */
export function correlation(one: Float32Array, other: Float32Array): number {
  return dot(one, other) / Math.sqrt(dot(one, one) * dot(other, other));
}

const dot = (one: Float32Array, other: Float32Array): number =>
  one.reduce((sum, sample, place) => sum + sample * (other[place] ?? 0), 0);

/** Returns the smallest number of words to insert, remove or replace until both texts are equal. Ignores case and signs. */
export function wordErrors(spoken: string, heard: string): number {
  const [wanted, got] = [wordsOf(spoken), wordsOf(heard)];
  let row = Array.from({ length: got.length + 1 }, (_, column) => column);
  for (const [index, word] of wanted.entries()) {
    const next = [index + 1];
    for (const [column, other] of got.entries()) {
      const [left = 0, above = 0, diagonal = 0] = [next[column], row[column + 1], row[column]];
      next.push(Math.min(left + 1, above + 1, diagonal + (word === other ? 0 : 1)));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** The recognizer writes "4" for "four". */
const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .replace(/\b4\b/gu, 'four')
    .match(/[a-z']+/gu) ?? [];
