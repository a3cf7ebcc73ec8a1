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

/** Returns a finite number, or 0 for any other value. */
export const countOf = (value: unknown): number => numberOf(value) ?? 0;

/** Whether a value is true. Any other value counts as false. */
export const flagOf = (value: unknown): boolean => value === true;

/** Returns a list unchanged. Any other value is an empty list. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Returns the texts of a list without blank ones. */
export const textsOf = (value: unknown): string[] => listOf(value).map(textOf).filter(Boolean);

/** Returns a reader of lists that reads each element. */
export const listWith =
  <Item>(read: (value: unknown) => Item) =>
  (value: unknown): Item[] =>
    listOf(value).map(read);

/** Returns a reader of one of the given values. Any other value is undefined. */
export const oneOf =
  <Choice>(choices: readonly Choice[]) =>
  (value: unknown): Choice | undefined =>
    choices.find((choice) => choice === value);

type Readers = Readonly<Record<string, (value: unknown) => unknown>>;

/** Returns a reader of objects that reads each property with its own reader. */
export function shapeOf<Shape extends Readers>(
  readers: Shape,
): (value: unknown) => { [Name in keyof Shape]: ReturnType<Shape[Name]> };
export function shapeOf(readers: Readers): (value: unknown) => object {
  return (value) => {
    const fields = fieldsOf(value);
    return Object.fromEntries(Object.entries(readers).map(([name, read]) => [name, read(fields[name])]));
  };
}

/** Returns the beginning of a text, at most `length` UTF-16 code units, without half a character at the end. */
export const truncated = (text: string, length: number): string =>
  text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');
