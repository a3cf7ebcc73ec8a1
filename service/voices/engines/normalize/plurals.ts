/** The plural forms that languages distinguish. */
export type PluralForm = 'zero' | 'one' | 'two' | 'few' | 'many' | 'other';

const forms: readonly PluralForm[] = ['zero', 'one', 'two', 'few', 'many'];

type Operands = Readonly<Record<string, number>>;
type Condition = (operands: Operands) => boolean;

/**
 * Returns the function that chooses the plural form of a number.
 * @param rules Conditions of CLDR by form (Unicode Technical Standard 35, part 3, "Language Plural Rules").
 */
export function pluralChooser(
  rules: Readonly<Partial<Record<PluralForm, string>>>,
): (whole: number, fraction: string) => PluralForm {
  const conditions = forms.flatMap((form) => {
    const rule = rules[form];
    return rule === undefined ? [] : [[form, toCondition(rule)] as const];
  });
  return (whole, fraction) => {
    const operands = operandsOf(whole, fraction);
    return conditions.find(([, holds]) => holds(operands))?.[0] ?? 'other';
  };
}

function operandsOf(whole: number, fraction: string): Operands {
  const trimmed = Number(fraction) === 0 ? '' : String(Number(`0.${fraction}`)).slice(2);
  return {
    n: Number(`${whole}.${fraction}`),
    i: whole,
    v: fraction.length,
    w: trimmed.length,
    f: Number(fraction),
    t: Number(trimmed),
    e: 0,
    c: 0,
  };
}

function toCondition(rule: string): Condition {
  const alternatives = rule.split(' or ').map((part) => part.split(' and ').map(toRelation));
  return (operands) => alternatives.some((relations) => relations.every((holds) => holds(operands)));
}

/** For example `i % 100 != 12..14`. */
function toRelation(text: string): Condition {
  const [, operand = '', modulus, sign, list = ''] =
    /^([a-z])(?: % (\d+))? (!?=) ([\d.,]+)$/u.exec(text.trim()) ?? [];
  const ranges = list.split(',').map((range) => range.split('..').map(Number));
  return (operands) => {
    const number = operands[operand] ?? 0;
    const value = modulus === undefined ? number : number % Number(modulus);
    const isListed = ranges.some(([from = 0, to = from]) =>
      to === from ? value === from : Number.isInteger(value) && value >= from && value <= to,
    );
    return isListed === (sign === '=');
  };
}
