import { inspect } from 'node:util';
import type { z } from 'zod';

/** Describes invalid fields in one line: `voice_settings.speed is 9: too big, expected number to be <=2`. */
export function describeIssues(issues: readonly z.core.$ZodIssue[], input: unknown): string {
  return issues.map((issue) => describeIssue(issue, input)).join('; ');
}

function describeIssue(issue: z.core.$ZodIssue, input: unknown): string {
  const field = issue.path.map(String).join('.') || 'request';
  const value = valueAt(input, issue.path);
  const message = issue.message.replace(/^[A-Z]/, (letter) => letter.toLowerCase());
  if (value === undefined && issue.code !== 'unrecognized_keys') return `${field} is missing: ${message}`;
  return `${field} is ${abridged(value)}: ${message}`;
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    input,
  );
}

/** Formats a value of any type for an error message, in about 80 characters. Never runs code of the value. */
export function abridged(value: unknown): string {
  if (value instanceof Uint8Array) return `a Buffer of ${value.length} bytes`;
  if (typeof value !== 'string') return inspect(value, INSPECT).slice(0, 80);
  return value.length > 60
    ? `${JSON.stringify(value.slice(0, 40))}… (${value.length} characters)`
    : JSON.stringify(value);
}

const INSPECT = {
  depth: 1,
  breakLength: Infinity,
  customInspect: false,
  maxArrayLength: 3,
  maxStringLength: 40,
} as const;
