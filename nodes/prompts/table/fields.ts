import { exactValue } from '../../runtime/exact-values.js';
import { isObject } from '../../runtime/objects.js';
import { type Column, settingOf } from './columns.js';

/** A value of a row. */
export interface Cell {
  column: Column;
  value: unknown;
}

/** The values of a row by field. A blank value is missing. Numbers are texts. Values of other types are unchanged. */
export type RowFields = Readonly<Partial<Record<string, unknown>>>;

export const cellFields = (cells: readonly Cell[]): RowFields =>
  Object.fromEntries(
    cells.flatMap(({ column: { field }, value }) => {
      const read = asText(value);
      return field === undefined || read === undefined ? [] : [[field, read]];
    }),
  );

/** Returns `voice_settings`: the object or JSON text of this field, and the columns `voice_settings.NAME`. */
export function voiceSettingsOf(fields: RowFields): { voice_settings?: unknown } {
  const given = exactValue(fields['voice_settings'], 'json');
  if (given !== undefined && (!isObject(given) || Array.isArray(given))) return { voice_settings: given };
  const columns = Object.entries(fields).flatMap(([field, value]) => {
    const name = settingOf(field);
    return name === undefined ? [] : [[name, value] as const];
  });
  const settings = [...Object.entries(given ?? {}), ...columns];
  if (settings.length === 0) return {};
  return { voice_settings: Object.fromEntries(settings.map(([name, value]) => [name, asNumber(value)])) };
}

/** Spreadsheets of many countries write a comma before the decimals. */
const DECIMAL_COMMA = /^\s*[+-]?\d*,\d+\s*$/;

const asNumber = (value: unknown): unknown =>
  exactValue(typeof value === 'string' && DECIMAL_COMMA.test(value) ? value.replace(',', '.') : value, 'num');

/** Returns the values that tags of a text can insert, by the key of their column. */
export const tagValues = (cells: readonly Cell[]): ReadonlyMap<string, string> =>
  new Map(
    cells.flatMap(({ column: { key }, value }) => {
      const read = typeof value === 'boolean' ? String(value) : asText(value);
      return typeof read === 'string' ? [[key, read] as const] : [];
    }),
  );

/** Whether a row has no value. Spreadsheets write such rows at the end of a table. */
export const isBlankRow = (cells: readonly Cell[]): boolean =>
  cells.every(({ value }) => asText(value) === undefined);

/** Returns a text without white space around it, and a number as a text. Undefined: no value. */
function asText(value: unknown): unknown {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : value;
  if (typeof value !== 'string') return value;
  const text = value.trim();
  return text === '' ? undefined : text;
}
