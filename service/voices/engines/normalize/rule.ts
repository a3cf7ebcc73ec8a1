/** The named groups of a match. */
export type Groups = Readonly<Record<string, string | undefined>>;

/** Replaces the figures that match a pattern. */
export interface NormalizationRule {
  /** With the flags `gu`. */
  pattern: RegExp;
  /** A text or a quick pattern of which every figure has a part. Without it, the rule is skipped. */
  sign?: string | RegExp;
  /**
   * Returns the words of a figure; undefined does not change it.
   * @param before The text before the figure, at most `MAX_BEFORE` characters.
   */
  words(groups: Groups, before: string): string | undefined;
}

/** A rule looks at some words only, so that its time does not grow with the text before the figure. */
const MAX_BEFORE = 80;

/** Returns the text with the words of each rule, in order. */
export function applyRules(text: string, rules: readonly NormalizationRule[]): string {
  return rules.reduce(applyRule, text);
}

function applyRule(text: string, { pattern, sign, words }: NormalizationRule): string {
  if (sign !== undefined && !has(text, sign)) return text;
  let result = '';
  let end = 0;
  for (let match = matchFrom(pattern, text, 0); match !== null;) {
    const [figure] = match;
    const { index } = match;
    result +=
      text.slice(end, index) +
      (words(match.groups ?? {}, text.slice(Math.max(0, index - MAX_BEFORE), index)) ?? figure);
    end = index + figure.length;
    match = matchFrom(pattern, text, Math.max(end, index + 1));
  }
  return end === 0 ? text : result + text.slice(end);
}

const has = (text: string, sign: string | RegExp): boolean =>
  typeof sign === 'string' ? text.includes(sign) : sign.test(text);

/** Returns the next match. `matchAll` makes a copy of the pattern with each call, which the engine may compile again. */
function matchFrom(pattern: RegExp, text: string, index: number): RegExpExecArray | null {
  pattern.lastIndex = index;
  return pattern.exec(text);
}

/** Returns a pattern that matches any of the texts. Longer ones come first, since others may begin them. */
export function alternatives(texts: Iterable<string>): string {
  const sorted = [...texts].sort((one, other) => other.length - one.length);
  return sorted.map((text) => text.replace(/[.*+?^${}()|[\]\\/]/gu, '\\$&')).join('|');
}
