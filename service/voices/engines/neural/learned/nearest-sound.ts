/*
 * The sounds of the International Phonetic Alphabet as places in which a small distance means a similar sound. The chart of the
 * alphabet (https://www.internationalphoneticassociation.org/content/ipa-chart) gives the order. The distances are set so that a listener
 * hears the intended sound: a sound of the same manner in a neighbouring place, with the same voice and the same rounding.
 */

/** A consonant is as far from a vowel as `FAR`. */
const FAR = 100;
/** A farther sound would be heard as another one, so the sound is left out: a French voice has no h. */
const MAX_DISTANCE = 4;
const VOICING = 2.5;

/** Manner, voice, and sounds with their places from the lips (0) to the glottis (8.5). A glottal stop has no near sound. */
const CONSONANTS: ReadonlyArray<readonly [manner: number, isVoiced: boolean, sounds: string]> = [
  [0, false, 'p 0 t 2.5 ʈ 3.5 c 5 k 6 q 6.7 ʡ 12 ʔ 12'],
  // Clicks.
  [-1.5, false, 'ʘ 0 ǀ 2 ǃ 2.5 ǁ 2.8 ǂ 5'],
  [0, true, 'b 0 d 2.5 ɖ 3.5 ɟ 5 ɡ 6 g 6 ɢ 6.7 ɓ 0.1 ɗ 2.6 ʄ 5.1 ɠ 6.1 ʛ 6.8 ʙ 0.2'],
  [-3, true, 'm 0 ɱ 0.5 n 2.5 ɳ 3 ɲ 4 ŋ 6 ɴ 6.7'],
  [2, false, 'ɸ 0 f 0.5 θ 2 s 2.5 ɬ 2.8 ʂ 3.6 ʃ 4 ɕ 4.2 ɧ 4.3 ç 4.8 x 6 χ 6.7 X 6.7 ħ 8 ʜ 8.1 h 8.5'],
  [2, true, 'β 0 v 0.5 ⱱ 0.6 ð 2 z 2.5 ʐ 3.6 ʒ 4 ʑ 4.2 ʝ 4.8 ɣ 6 ʕ 8 ʢ 8.1 ɦ 8.5'],
  [3, false, 'ʍ -0.6'],
  [3, true, 'w -0.6 ʋ 0.5 ɥ 4.8 j 5 ɰ 5.8'],
  [4.5, true, 'l 2.5 ɫ 2.6 ɮ 2.7 ɺ 2.8 ɭ 3.5 ʎ 5 ʟ 6'],
  // The sounds of the letter r stand for each other in all languages, whatever their place.
  [6, true, 'ɽ 2.8 ɾ 2.9 r 3 ɹ 3.1 ɻ 3.3 ʀ 3.8 ʁ 3.9'],
];

const BACKNESS = 1.5;
const ROUNDING = 1.5;

/** Whether the lips are rounded, and sounds with their height (0 is closed) and place (0 is front). */
const VOWELS: ReadonlyArray<readonly [isRounded: boolean, sounds: string]> = [
  [false, 'i 0 0 ɨ 0 1 ɯ 0 2 ɪ 0.9 0.2 ᵻ 0.9 0.8 e 2 0 ɘ 2 1 ɤ 2 2 ə 3 1 ɚ 3 1.1 ɛ 4 0 ε 4 0 ɜ 4 1'],
  [false, 'ɝ 4 1.1 ʌ 4 2 æ 5 0 ɐ 5 1 a 6 0.5 ɑ 6 2'],
  [true, 'y 0 0 ʉ 0 1 u 0 2 ʏ 0.9 0.2 ʊ 0.9 1.8 ø 2 0 ɵ 2 1 o 2 2 œ 4 0 ɞ 4 1 ɔ 4 2 ɶ 6 0 ɒ 5.6 2'],
];

/** Signs of punctuation are in a row by the length of the pause and the rise of the voice before it. */
const SIGNS = ', 0 ; 0.5 : 0.6 . 1.5 ! 1.6 ? 2.5';

/** Coordinates of each sound. The first one separates consonants, vowels and signs. */
export const SOUNDS: ReadonlyMap<string, readonly number[]> = new Map([
  ...CONSONANTS.flatMap(([manner, isVoiced, sounds]) =>
    placesIn(sounds, 1, ([place = 0]) => [0, manner, isVoiced ? VOICING : 0, place]),
  ),
  ...VOWELS.flatMap(([isRounded, sounds]) =>
    placesIn(sounds, 2, ([height = 0, place = 0]) => [
      FAR,
      height,
      isRounded ? ROUNDING : 0,
      BACKNESS * place,
    ]),
  ),
  ...placesIn(SIGNS, 1, ([place = 0]) => [2 * FAR, 0, 0, place]),
]);

/** Reads a list of sounds, each followed by some numbers. */
function placesIn(
  list: string,
  count: number,
  place: (numbers: readonly number[]) => number[],
): Array<[sound: string, place: number[]]> {
  const words = list.split(' ');
  const starts = words.flatMap((_, index) => (index % (count + 1) === 0 ? index : []));
  return starts.map((at) => [words[at] ?? '', place(words.slice(at + 1, at + 1 + count).map(Number))]);
}

/** Returns the sound most similar to a sound among the known ones, or undefined if none is similar. */
export function nearestSound(sound: string, known: { has(symbol: string): boolean }): string | undefined {
  const place = SOUNDS.get(sound);
  if (place === undefined) return undefined;
  const distanceTo = (other: readonly number[]) =>
    other.reduce((sum, value, at) => sum + Math.abs(value - (place[at] ?? 0)), 0);
  const near = [...SOUNDS]
    .filter(([other]) => known.has(other))
    .map(([other, at]) => ({ other, distance: distanceTo(at) }))
    .filter(({ distance }) => distance <= MAX_DISTANCE)
    .toSorted((one, two) => one.distance - two.distance);
  return near[0]?.other;
}
