/** Texts: saved values of any type, references to environment variables. */

/** Returns the properties of an object. Any other value has no properties. */
export function fieldsOf(value: unknown): ReadonlyMap<string, unknown> {
  return new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
}

/** Returns a saved value as trimmed text. Older and hand-written flows may contain numbers, or lack the value. */
export function textOf(value: unknown): string {
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value).trim() : '';
}

/** Whether the text is a reference such as `${NAME}`. Only the runtime knows the value of the variable. */
export const isEnvironmentVariable = (text: string): boolean => /^\$\{[^}]+\}$/.test(text);

/** Returns the beginning of a text, at most `length` UTF-16 code units, without half a character at the end. */
export const cutText = (text: string, length: number): string =>
  text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');

/** Returns a finite number, or undefined for any other value. */
export const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;
