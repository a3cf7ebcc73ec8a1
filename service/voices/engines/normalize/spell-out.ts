import { readFileSync } from 'node:fs';
import { hasProperties } from '../../../kit/objects.js';
import { localeData } from './locale-data.js';

/** A rule of CLDR's rule-based number formats: applies to values from `base` up to the base of the next rule. */
interface Rule {
  base: number;
  divisor: number;
  text: string;
}
interface RuleSet {
  rules: readonly Rule[];
  /** The words of small numbers, by number: they are parts of most figures. */
  kept: Map<number, string>;
}
type RuleSets = ReadonlyMap<string, RuleSet>;
/** Larger numbers are not kept, which bounds the memory. */
const MAX_KEPT = 1000;

/** What a rule needs beside itself. */
interface Spelling {
  sets: RuleSets;
  language: string;
}

const loaded = new Map<string, RuleSets>();

/**
 * Returns a number in words, by the rules of CLDR (Unicode Technical Standard 35, part 3, "Rule-Based Number Formatting").
 * @param language Two-letter code of a language that has spell-out rules, or a tag with a region that has its own.
 * @param ruleSet Name of a rule set, for example `%spellout-cardinal-feminine`.
 * @param value Whole number from 0 to `Number.MAX_SAFE_INTEGER`.
 */
export function spellOut(language: string, ruleSet: string, value: number): string {
  const words = format({ sets: ruleSetsOf(language), language }, ruleSet, value);
  return FIXES[language]?.(words) ?? words;
}

/** Words that CLDR has wrong. */
const FIXES: Readonly<Record<string, (words: string) => string>> = {
  cs: (words) => words.replace('jedna tisíc', 'tisíc'),
  sk: (words) => words.replace('jedna tisíc', 'tisíc'),
  pl: (words) => words.replaceAll('dziewiętdz', 'dziewięćdz'),
  el: (words) => words.replace('χίλιάδες', 'χιλιάδες'),
};

/** Returns whether CLDR has a rule set for a language. */
export const hasRules = (language: string, ruleSet: string): boolean => ruleSetsOf(language).has(ruleSet);

function ruleSetsOf(language: string): RuleSets {
  let sets = loaded.get(language);
  if (sets === undefined) loaded.set(language, (sets = load(language)));
  return sets;
}

function load(language: string): RuleSets {
  return toRuleSets(JSON.parse(readFileSync(require.resolve(`cldr-rbnf/rbnf/${language}.json`), 'utf8')));
}

/**
 * Returns the rule sets of a file of CLDR's package.
 * @throws TypeError if the file has another form
 */
export function toRuleSets(file: unknown): RuleSets {
  const sets = ['rbnf', 'rbnf', 'SpelloutRules'].reduce(partOf, file);
  if (!hasProperties(sets)) throw unexpected();
  return new Map(
    Object.entries(sets).map(([name, rules]) => [name, { rules: toRules(rules), kept: new Map() }]),
  );
}

function partOf(value: unknown, name: string): unknown {
  return hasProperties(value) ? value[name] : undefined;
}

/** A rule set without rules is a text. */
function toRules(rules: unknown): Rule[] {
  if (typeof rules === 'string') return [];
  if (!Array.isArray(rules)) throw unexpected();
  return rules.flatMap((rule: unknown) => {
    const [base, text]: unknown[] = Array.isArray(rule) ? rule : [];
    if (typeof base !== 'string' || typeof text !== 'string') throw unexpected();
    return toRule(base, text);
  });
}

const unexpected = () =>
  new TypeError('unexpected form of the number rules of CLDR: install cldr-rbnf again');

/** Rules without a base value, such as those for fractions, do not apply to whole numbers. */
function toRule(descriptor: string, text: string): Rule[] {
  const [, base, radix = '10'] = /^(\d+)(?:\/(\d+))?$/u.exec(descriptor) ?? [];
  if (base === undefined) return [];
  return [
    {
      base: Number(base),
      divisor: divisorOf(Number(base), Number(radix)),
      // CLDR marks the joints of compounds with soft hyphens.
      text: text.replace(/;$/u, '').replaceAll('\u00ad', ''),
    },
  ];
}

/** The highest power of the radix up to the base value. */
function divisorOf(base: number, radix: number): number {
  let divisor = 1;
  while (divisor * radix <= base) divisor *= radix;
  return divisor;
}

const SUBSTITUTION = /([←→=])(%{0,2}[a-z0-9-]*|#[#,.0]*)\1/gu;
/** A word by the plural form of the multiplier: `$(cardinal,one{million}other{millions})$`. */
const PLURAL = /\$\(cardinal,([^)]*)\)\$/gu;

function format(spelling: Spelling, name: string, value: number): string {
  const set = spelling.sets.get(name);
  const known = set?.kept.get(value);
  if (known !== undefined) return known;
  const words = formatNew(spelling, name, value);
  if (value < MAX_KEPT) set?.kept.set(value, words);
  return words;
}

function formatNew(spelling: Spelling, name: string, value: number): string {
  const { divisor, text } = ruleFor(spelling.sets.get(name)?.rules ?? [], value);
  const rest = value % divisor;
  const operands: Readonly<Record<string, number>> = { '→': rest, '←': (value - rest) / divisor, '=': value };
  return text
    .replace(/^'/u, '')
    .replace(/\[([^[\]]*)\]/u, rest === 0 ? '' : '$1')
    .replace('→→→', () => formatBefore(spelling, name, value))
    .replace(PLURAL, (_, forms: string) => pluralWord(forms, (value - rest) / divisor, spelling.language))
    .replace(SUBSTITUTION, (_, arrow: string, target: string) => {
      const operand = operands[arrow] ?? value;
      return /^[#0]/u.test(target)
        ? String(operand)
        : format(spelling, target === '' ? name : target, operand);
    });
}

/** `→→→` formats the rest with the rule before, for example "ten" after "and". */
function formatBefore(spelling: Spelling, name: string, value: number): string {
  const { divisor } = ruleFor(spelling.sets.get(name)?.rules ?? [], value);
  return format(spelling, name, value % divisor);
}

function pluralWord(forms: string, multiplier: number, language: string): string {
  const words = new Map(
    Array.from(forms.matchAll(/(zero|one|two|few|many|other)\{([^}]*)\}/gu), ([, form, word]) => [
      form,
      word,
    ]),
  );
  return words.get(localeData(language.slice(0, 2)).pluralOf(multiplier, '')) ?? words.get('other') ?? '';
}

/** A rule with both substitutions gives way to the one before if nothing remains of the value ("roll-back rule"). */
function ruleFor(rules: readonly Rule[], value: number): Rule {
  const index = rules.findLastIndex(({ base }) => base <= value);
  const [rule, before] = [rules[index], rules[index - 1]];
  if (rule === undefined) throw new RangeError(`no spell-out rule for ${value}`);
  const hasBoth = rule.text.includes('←') && rule.text.includes('→');
  const rollsBack = hasBoth && value % rule.divisor === 0 && rule.base % rule.divisor !== 0;
  return (rollsBack ? before : undefined) ?? rule;
}
