/** A part of a sentence up to its punctuation. */
export interface Clause {
  /** The clause with its punctuation. */
  text: string;
  /** The punctuation as the models of natural voices know it, '' if the clause ends without. */
  mark: string;
}

/** The punctuation that ends a clause, by the sign that the models know for it. */
const SIGNS: Readonly<Record<string, string>> = {
  ',': ',،、，',
  ';': ';؛；–—·',
  ':': ':：',
  '.': '.。۔…',
  // The reference program sends nothing for a danda, so no model learned an id for it.
  '।': '।',
  '!': '!！',
  '?': '?？؟',
};
const MARKS: ReadonlyMap<string, string> = new Map(
  Object.entries(SIGNS).flatMap(([mark, signs]) => Array.from(signs).map((sign) => [sign, mark] as const)),
);
/** Signs that may stand between the punctuation and the space. German quotes end with “ and ‘, or with « and ‹. */
const CLOSERS = '["\'”’“‘»›«‹)\\]}」』]*';
/** A full stop inside a sentence belongs to an abbreviation or a number. */
const INNER = [...MARKS].filter(([, mark]) => mark !== '.').map(([sign]) => sign);
const CLAUSE_END = new RegExp(
  `(?:(?:[${INNER.join('')}…]+|\\.{2,})${CLOSERS}(?=\\s|$)|[、，；：！？]${CLOSERS})\\s*`,
  'gu',
);
const MARK_AT_END = new RegExp(
  `([${[...MARKS.keys()].join('')}])[${[...MARKS.keys()].join('')}\\s]*${CLOSERS}\\s*$`,
  'u',
);

/** Splits a sentence after each clause. The clauses joined are the sentence. */
export function clauseTexts(sentence: string): string[] {
  const clauses: string[] = [];
  let start = 0;
  for (const { index, 0: end } of sentence.matchAll(CLAUSE_END)) {
    clauses.push(sentence.slice(start, index + end.length));
    start = index + end.length;
  }
  return start < sentence.length ? [...clauses, sentence.slice(start)] : clauses;
}

/** Splits a sentence into clauses with their punctuation. */
export function clausesOf(sentence: string): Clause[] {
  return clauseTexts(sentence).map((text) => ({ text, mark: markOf(text) }));
}

/** Ends the first part of a sentence with a comma, unless it has another sign that is no full stop. */
export function withComma(part: string): string {
  const mark = markOf(part);
  return mark === '' || mark === '.' ? `${part.trimEnd().replace(/(?<![.…])[.…]+$/u, '')},` : part;
}

function markOf(clause: string): string {
  const [, sign = ''] = MARK_AT_END.exec(clause) ?? [];
  return MARKS.get(sign) ?? '';
}
