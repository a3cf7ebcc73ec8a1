/** Reads values of a device or of another program, which may have any shape. */

/** Returns a field of an object; undefined for any other value. */
export const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

export const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0);

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Maximum number of characters of a name. */
const MAX_NAME = 80;

/** Returns the name that a device says of itself. */
export const nameIn = (text: string): string => printable(text, MAX_NAME);

/**
 * Returns a text of another program without control characters and marks of the direction, which could hide a part of it.
 * @param max the number of code points after which the text is cut
 */
export const printable = (text: string, max: number): string =>
  Array.from(
    text
      .slice(0, 4 * max)
      .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ')
      .trim(),
  )
    .slice(0, max)
    .join('');
