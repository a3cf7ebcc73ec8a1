import { abbreviationRules } from './marks/abbreviations.js';
import { dateRules } from './dates.js';
import { electronicRules } from './marks/electronic.js';
import { fractionRules } from './amounts/fractions.js';
import { romanRules } from './marks/roman.js';
import { completedLanguage, type Facts, languageOf } from './language-of.js';
import type { Language } from './language.js';
import type * as japanese from './languages/japanese/ja.js';
import { measureRules } from './amounts/measures.js';
import { emergencyRules } from './marks/emergency.js';
import { codeRules } from './marks/codes.js';
import { pairRules, signRules } from './marks/signs.js';
import { weekdayRules } from './marks/weekdays.js';
import { moneyRules, scaleRules } from './amounts/money.js';
import { dottedRules } from './dotted-numbers.js';
import { equationRules, numberRules, ordinalRule, pointRule } from './numbers.js';
import { phoneRule } from './phones.js';
import { regional, spellingOf, usualTag } from './regions/regions.js';
import { applyRules, type NormalizationRule } from './rule.js';
import { timeRule } from './times.js';

/** The modules of the languages, by code. Each is loaded at its first use, because all take longer than the rest of a speech engine. */
const modules = new Map(
  'en de es fr it japanese/ja korean/ko ar bg cs da el et fi hi hr hu id lt lv nl pl pt ro russian/ru sk sl sv tr uk vi zh'
    .split(' ')
    .map((name) => [name.slice(-2), name]),
);

/** The codes of the languages with rules. */
export const normalizedLanguages: readonly string[] = [...modules.keys()];

/** What the module of a language exports: the language, or the facts that CLDR lacks. */
type LanguageModule = { language: Language } | { facts: Facts };

function languageIn(name: string): Language {
  const module: LanguageModule = require(`./languages/${name}.js`);
  return 'language' in module ? completedLanguage(module.language) : languageOf(module.facts);
}

/** A language as it is written and spoken in a region. */
export interface RegionalLanguage {
  language: Language;
  /** Returns words of the language in the spelling of the region. */
  spell(words: string): string;
  rules(): Rules;
}

const byTag = new Map<string, RegionalLanguage>();
/** The service speaks fewer tags; this bounds the memory. */
const MAX_TAGS = 100;

/** Returns a language as in its region; undefined for one without rules. @param tag Language, and optionally a region. */
export function languageOfTag(tag: string): RegionalLanguage | undefined {
  const usual = usualTag(tag);
  const kept = byTag.get(usual);
  if (kept !== undefined) return kept;
  const [code = ''] = usual.split('-');
  const name = modules.get(code);
  if (name === undefined) return undefined;
  const language = regional(languageIn(name), usual);
  const spell = spellingOf(usual);
  let rules: Rules | undefined;
  const made = { language, spell, rules: () => (rules ??= withSpelling(rulesOf(language), spell)) };
  if (byTag.size < MAX_TAGS) byTag.set(usual, made);
  return made;
}

/** Returns the rules with their words in another spelling. The user's own words stay. */
function withSpelling({ words, figures }: Rules, spell: RegionalLanguage['spell']): Rules {
  const spelled = (rule: NormalizationRule): NormalizationRule => ({
    ...rule,
    words(groups, before) {
      const read = rule.words(groups, before);
      return read === undefined ? undefined : spell(read);
    },
  });
  return { words: words.map(spelled), figures: figures.map(spelled) };
}

/** The rules of a language. */
interface Rules {
  /** For texts of any kind: addresses, abbreviations, Roman numerals. */
  words: readonly NormalizationRule[];
  /** For texts with digits. */
  figures: readonly NormalizationRule[];
}

/**
 * Returns a text with figures as words: numbers, dates, times, measures, amounts of money, telephone numbers. Figures of
 * an unknown kind, such as part numbers, do not change. A second call returns the same text.
 * @param tag Language, and optionally the region that decides ambiguous figures: "en", "en-GB". A text in a language without
 *   rules does not change.
 */
export function normalizeText(text: string, tag: string): string {
  const rules = languageOfTag(tag)?.rules();
  return rules === undefined ? text : settled(withLatinDigits(text), rules);
}

let counted: Rules | undefined;

/**
 * Returns a Japanese text in the form that `espeak/japanese/` reads: as `normalizeText`, but numbers stay digits. Their reading
 * depends on the counter that follows, and kanji can be words: 十分 is "ten minutes" or "enough".
 */
export function withCounters(text: string): string {
  const { japaneseInDigits }: typeof japanese = require('./languages/japanese/ja.js');
  counted ??= rulesOf(completedLanguage(japaneseInDigits));
  return settled(withLatinDigits(text), counted);
}

let hosted: Rules | undefined;

/**
 * Returns a text as `normalizeText` does, for a service that reads Japanese for itself: with kana where the kanji of a figure have
 * another reading.
 */
export function normalizeForService(text: string, tag: string): string {
  if (!/^ja(?![a-z])/iu.test(tag)) return normalizeText(text, tag);
  const { japaneseInWords }: typeof japanese = require('./languages/japanese/ja.js');
  hosted ??= rulesOf(completedLanguage(japaneseInWords));
  return settled(withLatinDigits(text), hosted);
}

/** The zeros of Arabic, Persian and Devanagari digits. */
const ZEROS = [0x0660, 0x06f0, 0x0966];

/** Returns a text with the digits that the rules know, and with the Arabic decimal mark as a comma. */
export function withLatinDigits(text: string): string {
  return text
    .replace(/[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f]/gu, (digit) => {
      const code = digit.codePointAt(0) ?? 0;
      return String(code - (ZEROS.findLast((zero) => zero <= code) ?? 0));
    })
    .replace(/(?<=\d)٫(?=\d)/gu, ',')
    .replace(/(?<=\d)٬(?=\d)/gu, '');
}

/** A second pass is necessary if the words of one figure make the figure beside it recognizable. */
const MAX_PASSES = 5;

function settled(text: string, { words, figures }: Rules): string {
  let result = applyRules(text, words);
  let isSettled = result === text;
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const read = /\p{N}/u.test(result) ? applyRules(result, figures) : result;
    if (read === result && isSettled) break;
    result = applyRules(read, words);
    isSettled = result === read;
  }
  return result;
}

/** In this order: a figure of a later kind may be a part of one of an earlier kind. */
const rulesOf = (language: Language): Rules => ({
  words: [
    ...electronicRules(language),
    ...abbreviationRules(language),
    ...romanRules(language),
    ...(language.names ?? []),
    ...weekdayRules(language),
    ...signRules(language),
  ],
  figures: [
    ...emergencyRules(language),
    ...codeRules(language),
    ...equationRules(language),
    ...dateRules(language),
    timeRule(language),
    phoneRule(language),
    ...dottedRules(language),
    ...language.forms,
    ...pairRules(language),
    ...fractionRules(language),
    ordinalRule(language),
    ...pointRule(language),
    ...moneyRules(language),
    ...measureRules(language),
    ...scaleRules(language),
    ...numberRules(language),
  ],
});
