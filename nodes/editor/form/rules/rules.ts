/** Checks a typed value against the rule that the build derives from the request schema. */
import { isEnvironmentVariable, urlProblem } from '../../lib/typed-text.js';

/** JSON Schema keywords. */
export interface Rule {
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  type?: string;
}

/** A key of the node's localized texts, and the values for its placeholders. */
export interface RuleProblem {
  key: string;
  values?: object;
}

/** Returns the problem of a typed value. A blank value or an environment variable has no problem. */
export function ruleProblem(text: string, field: string, rule: Rule): RuleProblem | undefined {
  if (text === '' || isEnvironmentVariable(text)) return undefined;
  const { minimum: min, maximum: max, maxLength, type } = rule;
  if (type === 'number' || type === 'integer')
    return numberProblem(text, { min, max, isWhole: type === 'integer' });
  if (maxLength !== undefined && text.length > maxLength)
    return { key: 'rules.length', values: { max: maxLength } };
  return matches(text, rule) ? undefined : { key: formatKey(field, rule) };
}

function matches(text: string, { format, pattern }: Rule): boolean {
  if (format === 'uri') return urlProblem(text) === undefined;
  return pattern === undefined || new RegExp(pattern, 'u').test(text);
}

function formatKey(field: string, { format }: Rule): string {
  if (format === 'uri') return 'rules.url';
  if (format === 'date-time') return 'rules.time';
  if (format === 'date') return 'rules.date';
  return field === 'language' ? 'rules.language' : 'rules.identifier';
}

interface Bounds {
  min: number | undefined;
  max: number | undefined;
  isWhole: boolean;
}

function numberProblem(text: string, { min, max, isWhole }: Bounds): RuleProblem | undefined {
  const value = Number(text);
  if (!Number.isFinite(value)) return { key: 'rules.number' };
  if (isWhole && !Number.isInteger(value)) return { key: 'rules.whole' };
  const isIn = value >= (min ?? -Infinity) && value <= (max ?? Infinity);
  if (isIn) return undefined;
  if (max === undefined) return { key: 'rules.at-least', values: { min } };
  return { key: 'rules.range', values: { min, max } };
}
