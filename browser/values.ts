/** Reads values of any type: replies, and saved properties. A missing value or a value of another type becomes an empty value. */

/** The properties of an object. */
export type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** Returns an object unchanged. Any other value has no properties. */
export const fieldsOf = (value: unknown): Fields => (isObject(value) ? value : {});

/** Returns a value as trimmed text. Hand-written flows and replies may contain numbers, or lack the value. */
export function textOf(value: unknown): string {
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value).trim() : '';
}

/** Returns a finite number, or undefined for any other value. */
export const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;

/** Returns a list unchanged. Any other value is an empty list. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Returns the texts of a list without blank ones. */
export const textsOf = (value: unknown): string[] => listOf(value).map(textOf).filter(Boolean);

/** Returns the beginning of a text, at most `length` UTF-16 code units, without half a character at the end. */
export const truncated = (text: string, length: number): string =>
  text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');
