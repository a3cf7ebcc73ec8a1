import { createHash } from 'node:crypto';

/** Part of each hash. A new value makes all files of former versions count as changed. */
const VERSION = 'herald-prompt-1';

/**
 * Returns the hash of the content of a row: 64 hexadecimal digits, a SHA-256. The order of fields has no effect, and a field
 * that is undefined counts as missing.
 * @param parts all values that change the sound, as plain JSON; never a key
 */
export function hashOf(parts: object): string {
  const content = JSON.stringify([VERSION, parts], inOrder);
  return createHash('sha256').update(content).digest('hex');
}

/** A replacer for `JSON.stringify` that sorts the fields of objects by name. */
function inOrder(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}
