/** What the engine reads wrongly or not at all, and how it is written for it. In order: money before its sign. */
const REPLACEMENTS: ReadonlyArray<readonly [RegExp, string]> = [
  [/[‘’‚‛′`]/gu, "'"],
  [/[“”„‟″«»]/gu, '"'],
  [/\s*[–—―]\s*/gu, ', '],
  [/[‐‑‒−]/gu, '-'],
  [/…/gu, '...'],
  [/€\s*([\d.,]*\d)/gu, '$1 euros '],
  [/£\s*([\d.,]*\d)/gu, '$1 pounds '],
  [/¥\s*([\d.,]*\d)/gu, '$1 yen '],
  [/€/gu, ' euros '],
  [/£/gu, ' pounds '],
  [/¥/gu, ' yen '],
  [/°\s*C\b/gu, ' degrees Celsius '],
  [/°\s*F\b/gu, ' degrees Fahrenheit '],
  [/°/gu, ' degrees '],
  [/×/gu, ' times '],
  [/÷/gu, ' divided by '],
  [/±/gu, ' plus or minus '],
  [/</gu, ' less than '],
  [/>/gu, ' greater than '],
  [/ß/gu, 'ss'],
  [/æ/gu, 'ae'],
  [/Æ/gu, 'Ae'],
  [/œ/gu, 'oe'],
  [/Œ/gu, 'Oe'],
  [/ø/gu, 'o'],
  [/Ø/gu, 'O'],
  [/đ|ð/gu, 'd'],
  [/Đ|Ð/gu, 'D'],
  [/ł/gu, 'l'],
  [/Ł/gu, 'L'],
  [/ı/gu, 'i'],
  [/þ/gu, 'th'],
  [/Þ/gu, 'Th'],
  [/⁄/gu, '/'],
];

/**
 * A text as the engine can read it: printable ASCII. Accents go, signs become words, and what has no spelling in
 * ASCII (other scripts, emoji, control characters, lone surrogates) becomes a space.
 */
export function toReadable(text: string): string {
  const spelled = REPLACEMENTS.reduce((result, [sign, word]) => result.replace(sign, word), text);
  // Compatibility forms come apart here (½ into 1⁄2, é into e and its accent), so the signs are looked at once more.
  const apart = spelled.normalize('NFKD').replace(/\p{M}/gu, '').replace(/⁄/gu, '/');
  return apart.replace(/[^\x20-\x7e\n]/gu, ' ');
}

/** Titles and the like whose full stop does not end a sentence. */
const ABBREVIATION = /\b(?:Mr|Mrs|Ms|Dr|Prof|St|Jr|Sr|vs|No|approx|e\.g|i\.e|[A-Z])\.$/u;

/** The sentences of a readable text, in order, each with something to say in it. */
export function sentencesOf(readable: string): string[] {
  const sentences: string[] = [];
  let pending = '';
  for (const part of readable.split(/(?<=[.!?]["')\]]*)\s+|\n+/u)) {
    pending = pending === '' ? part : `${pending} ${part}`;
    if (ABBREVIATION.test(pending)) continue;
    sentences.push(pending);
    pending = '';
  }
  return [...sentences, pending].flatMap(cutToLength).filter((sentence) => /[A-Za-z0-9]/u.test(sentence));
}

/** About 15 seconds of speech: Flite's time grows with the square of a sentence's length. */
const MAX_WEIGHT = 250;
/** A letter is part of a word; a digit, sign or capital may be read as a word of its own. */
const WORD_WEIGHT = 5;

/** A sentence of bearable length stays whole; a longer one is cut between words, or within one if need be. */
function cutToLength(sentence: string): string[] {
  const parts: string[] = [];
  let part = '';
  let weight = 0;
  for (const word of sentence.match(/\S{1,80}/gu) ?? []) {
    const more = weightOf(word);
    if (part !== '' && weight + more > MAX_WEIGHT) {
      parts.push(part);
      [part, weight] = ['', 0];
    }
    part = part === '' ? word : `${part} ${word}`;
    weight += more;
  }
  return part === '' ? parts : [...parts, part];
}

function weightOf(word: string): number {
  const wordy = word.match(/[^a-z.,;:!?'"()]/gu)?.length ?? 0;
  return word.length + wordy * (WORD_WEIGHT - 1);
}
