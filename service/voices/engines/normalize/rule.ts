/** The named groups of a match. */
export type Groups = Readonly<Record<string, string | undefined>>;

/** Replaces the figures that match a pattern. */
export interface NormalizationRule {
  /** With the flags `gu`. */
  pattern: RegExp;
  /** A text of which every figure has a part. Without it, the rule is skipped. */
  sign?: string;
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
  if (sign !== undefined && !text.includes(sign)) return text;
  let result = '';
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    const [figure] = match;
    result +=
      text.slice(end, match.index) +
      (words(match.groups ?? {}, text.slice(Math.max(0, match.index - MAX_BEFORE), match.index)) ?? figure);
    end = match.index + figure.length;
  }
  return result + text.slice(end);
}

/** Returns a pattern that matches any of the texts. Longer ones come first, since others may begin them. */
export function alternatives(texts: Iterable<string>): string {
  const sorted = [...texts].sort((one, other) => other.length - one.length);
  return sorted.map((text) => text.replace(/[.*+?^${}()|[\]\\/]/gu, '\\$&')).join('|');
}
