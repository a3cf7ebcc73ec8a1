/** The named groups of a match. */
export type Groups = Readonly<Record<string, string | undefined>>;

/** Replaces the figures that match a pattern. */
export interface NormalizationRule {
  /** With the flags `gu`. */
  pattern: RegExp;
  /**
   * Returns the words of a figure; undefined does not change it.
   * @param before The text before the figure.
   */
  words(groups: Groups, before: string): string | undefined;
}

/** Returns the text with the words of each rule, in order. */
export function applyRules(text: string, rules: readonly NormalizationRule[]): string {
  return rules.reduce(applyRule, text);
}

function applyRule(text: string, { pattern, words }: NormalizationRule): string {
  let result = '';
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    const [figure] = match;
    result +=
      text.slice(end, match.index) + (words(match.groups ?? {}, text.slice(0, match.index)) ?? figure);
    end = match.index + figure.length;
  }
  return result + text.slice(end);
}
