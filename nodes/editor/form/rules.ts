/** What a typed value may be: the build takes it from the schema of the request. */
import { urlProblem } from '../account/service-url.js';

/** As JSON Schema says it. */
export interface Rule {
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  type?: string;
}

/** What is wrong with a value: a key of the node's words, and what they speak of. */
export interface RuleProblem {
  key: string;
  values?: object;
}

const ENVIRONMENT = /^\$\{[^}]+\}$/;

/** The rules in what the build wrote into a node's registration. */
export function ruleOf(registered: unknown, field: string): Rule | undefined {
  const entries = typeof registered === 'object' && registered !== null ? Object.entries(registered) : [];
  return entries.find((entry): entry is [string, Rule] => entry[0] === field && isRule(entry[1]))?.[1];
}

const isRule = (value: unknown): value is Rule => typeof value === 'object' && value !== null;

/** What is wrong with a typed value; blank is the message's, and an environment variable can't be looked into. */
export function ruleProblem(text: string, field: string, rule: Rule): RuleProblem | undefined {
  if (text === '' || ENVIRONMENT.test(text)) return undefined;
  const { minimum: min, maximum: max, maxLength, type } = rule;
  if (type === 'number' || type === 'integer')
    return numberProblem(text, { min, max, whole: type === 'integer' });
  if (maxLength !== undefined && text.length > maxLength)
    return { key: 'rules.length', values: { max: maxLength } };
  return isAsWritten(text, rule) ? undefined : { key: formOf(field, rule) };
}

function isAsWritten(text: string, { format, pattern }: Rule): boolean {
  if (format === 'uri') return urlProblem(text) === undefined;
  return pattern === undefined || new RegExp(pattern, 'u').test(text);
}

function formOf(field: string, { format }: Rule): string {
  if (format === 'uri') return 'rules.url';
  if (format === 'date-time') return 'rules.time';
  if (format === 'date') return 'rules.date';
  return field === 'language' ? 'rules.language' : 'rules.identifier';
}

interface Bounds {
  min: number | undefined;
  max: number | undefined;
  whole: boolean;
}

function numberProblem(text: string, { min, max, whole }: Bounds): RuleProblem | undefined {
  const value = Number(text);
  if (!Number.isFinite(value)) return { key: 'rules.number' };
  if (whole && !Number.isInteger(value)) return { key: 'rules.whole' };
  const isIn = value >= (min ?? -Infinity) && value <= (max ?? Infinity);
  if (isIn) return undefined;
  if (max === undefined) return { key: 'rules.at-least', values: { min } };
  return { key: 'rules.range', values: { min, max } };
}
