/** Reads values of a reply, which may have any shape. */
import { printable } from '../fault.js';

/** Maximum number of characters of a name. */
const MAX_NAME = 80;

/** Returns a field of an object; undefined for any other value. */
export const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

export const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0);

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Returns the name that a device says of itself. */
export const nameIn = (text: string): string => printable(text, MAX_NAME);
