import { inspect } from 'node:util';
import type { z } from 'zod';
import { type Text, text } from '../base/messages.js';
import { truncated, shortened } from '../base/short-texts.js';

/** Describes invalid fields in one line: `voice_settings.speed is 9: expected a number from 0.5 to 2`. */
export function describeIssues(issues: readonly z.core.$ZodIssue[], input: unknown): string {
  return shortened(issuesText(issues, input).english);
}

/** Maximum number of invalid fields that a message lists. */
const MAX_LISTED = 5;
const MORE = '…';

/** Returns the first problems of a list, and an ellipsis in place of the others. */
export function firstOf(problems: readonly string[]): string[] {
  return [...problems.slice(0, MAX_LISTED), ...(problems.length > MAX_LISTED ? [MORE] : [])];
}

/** Describes invalid fields like `describeIssues`, as a text that can be translated. */
export function issuesText(
  issues: readonly z.core.$ZodIssue[],
  input: unknown,
  nameOf: (field: string) => string = String,
): Text {
  const [first = text('invalid-request'), ...others] = issues
    .slice(0, MAX_LISTED)
    .map((issue) => issueText(issue, input, nameOf));
  const more = issues.length > MAX_LISTED ? [MORE] : [];
  return [...others, ...more].reduce<Text>(
    (all, second) => text('two-failures', { first: all, second }),
    first,
  );
}

const rules = new Map<string, Text>();

/** Returns the English text of a rule for a schema, and remembers its key: an issue of zod has only the text. */
export function rule(message: Text): string {
  rules.set(message.english, message);
  return message.english;
}

function issueText(issue: z.core.$ZodIssue, input: unknown, nameOf: (field: string) => string): Text {
  const [first, ...inner] = issue.path.map(String);
  const field = first === undefined ? 'request' : [nameOf(first), ...inner].join('.');
  const value = valueAt(input, issue.path);
  const values = { field, rule: ruleOf(issue) };
  if (value === undefined && issue.code !== 'unrecognized_keys') return text('missing', values);
  return text('invalid', { ...values, value: abridgedText(value) });
}

function ruleOf(issue: z.core.$ZodIssue): Text | string {
  const known: unknown = issue.code === 'custom' ? issue.params?.['text'] : undefined;
  if (isText(known)) return known;
  return rules.get(issue.message) ?? standardRule(issue) ?? lowerCased(issue.message);
}

/** The messages of zod for checks without a message in their schema. */
const STANDARD = /^(Too (big|small)|Invalid|Unrecognized)\b/;

/** Returns a rule in place of a message of zod. */
function standardRule(issue: z.core.$ZodIssue): Text | undefined {
  if (!STANDARD.test(issue.message)) return undefined;
  switch (issue.code) {
    case 'invalid_type':
      return typeRule(issue.expected);
    case 'invalid_value':
      return text('rule-choice', { choices: issue.values.map((value) => JSON.stringify(value)).join('|') });
    case 'unrecognized_keys':
      return text('rule-unknown', { keys: firstOf(issue.keys.map(abridged)).join(', ') });
    case 'invalid_format':
      return issue.format === 'url' ? text('rule-url') : undefined;
    case 'too_big':
      return issue.inclusive ? atMost(issue.origin, Number(issue.maximum)) : undefined;
    case 'too_small':
      return issue.inclusive ? atLeast(issue.origin, Number(issue.minimum)) : undefined;
    default:
      return undefined;
  }
}

function typeRule(type: string): Text {
  switch (type) {
    case 'int':
      return text('rule-whole');
    case 'string':
    case 'number':
    case 'boolean':
    case 'array':
    case 'object':
      return text(`rule-${type}`);
    default:
      return text('rule-type', { type });
  }
}

function atMost(origin: string, limit: number): Text | undefined {
  if (origin === 'string') return text('rule-characters', { limit });
  return NUMBERS.includes(origin) ? text('rule-at-most', { limit }) : undefined;
}

function atLeast(origin: string, limit: number): Text | undefined {
  if (origin === 'string' && limit === 1) return text('rule-word');
  return NUMBERS.includes(origin) ? text('rule-at-least', { limit }) : undefined;
}

const NUMBERS = ['number', 'int'];

const isText = (value: unknown): value is Text =>
  typeof value === 'object' && value !== null && 'english' in value;

const lowerCased = (message: string): string => message.replace(/^[A-Z]/, (letter) => letter.toLowerCase());

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    input,
  );
}

/** Formats a value of any type for an error message, in about 80 characters of English. Never runs code of the value. */
export function abridged(value: unknown): string {
  const shown = abridgedText(value);
  return typeof shown === 'string' ? shown : shown.english;
}

/** Does the same as `abridged`, for a message that can be translated. */
export function abridgedText(value: unknown): Text | string {
  if (value instanceof Uint8Array) return text('value-bytes', { size: value.length });
  if (typeof value !== 'string') return truncated(inspect(value, INSPECT), 80);
  const { length } = value;
  return length > 60
    ? text('value-long', { start: JSON.stringify(truncated(value, 40)), length })
    : JSON.stringify(value);
}

const INSPECT = {
  depth: 1,
  breakLength: Infinity,
  customInspect: false,
  maxArrayLength: 3,
  maxStringLength: 40,
} as const;
