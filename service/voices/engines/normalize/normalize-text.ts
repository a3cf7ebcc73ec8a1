import { dateRules } from './dates.js';
import type { Language } from './language.js';
import { german } from './languages/de.js';
import { english } from './languages/en.js';
import { spanish } from './languages/es.js';
import { french } from './languages/fr.js';
import { italian } from './languages/it.js';
import { japanese } from './languages/ja.js';
import { korean } from './languages/ko.js';
import { measureRules } from './measures.js';
import { moneyRules } from './money.js';
import { dottedRules } from './dotted-numbers.js';
import { numberRules, ordinalRule } from './numbers.js';
import { phoneRule } from './phones.js';
import { applyRules, type NormalizationRule } from './rule.js';
import { timeRule } from './times.js';

const languages = new Map(
  [english, german, spanish, french, italian, japanese, korean].map((language) => [language.code, language]),
);
const rulesByLanguage = new Map<string, readonly NormalizationRule[]>();

/**
 * Returns a text with figures as words: numbers, dates, times, measures, amounts of money, telephone numbers. Figures of
 * an unknown kind, such as part numbers, do not change. A second call returns the same text.
 * In Japanese, numbers stay digits: their reading depends on the word that follows, see `espeak/japanese/`.
 * @param language Two-letter code. A text in a language without rules does not change.
 */
export function normalizeText(text: string, language: string): string {
  const known = languages.get(language);
  if (known === undefined || !/\p{N}/u.test(text)) return text;
  let rules = rulesByLanguage.get(language);
  if (rules === undefined) rulesByLanguage.set(language, (rules = rulesOf(known)));
  return settled(text, rules);
}

/** A second pass is necessary if the words of one figure make the figure beside it recognizable. */
const MAX_PASSES = 5;

function settled(text: string, rules: readonly NormalizationRule[]): string {
  let result = text;
  for (let pass = 0; pass < MAX_PASSES && /\p{N}/u.test(result); pass++) {
    const next = applyRules(result, rules);
    if (next === result) break;
    result = next;
  }
  return result;
}

/** In this order: a figure of a later kind may be a part of one of an earlier kind. */
function rulesOf(language: Language): NormalizationRule[] {
  return [
    ...dateRules(language),
    timeRule(language),
    phoneRule(language),
    ...dottedRules(language),
    ...language.forms,
    ordinalRule(language),
    ...moneyRules(language),
    ...measureRules(language),
    ...numberRules(language),
  ];
}
