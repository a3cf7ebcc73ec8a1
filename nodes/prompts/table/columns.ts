import { voiceSettings } from '@herald-speech/client';
import { voiceFields } from '../../lib/utterance.js';

/** A column of CSV text, or a field of the objects in an array. */
export interface Column {
  /** As given. */
  name: string;
  /** The name without differences of case, blanks, `-` and `_`. Equal keys mean equal columns. Empty for a blank name. */
  key: string;
  /** The field of a prompt, such as `voice_id` or `voice_settings.speed`. Undefined for any other column. */
  field: string | undefined;
}

/** Maximum number of columns of a table. */
export const MAX_COLUMNS = 1000;

const SETTINGS = 'voice_settings';
const SETTING = `${SETTINGS}.`;

/** The names of the columns. `voice_settings.NAME` is the column of one setting. */
export const NAMES = [
  'text',
  'filename',
  ...voiceFields.filter((field) => field !== SETTINGS),
  'format',
  SETTINGS,
];

const FIELDS: ReadonlyMap<string, string> = new Map(
  [NAMES, Object.keys(voiceSettings).map((name) => SETTING + name)]
    .flat()
    .map((field) => [columnKey(field), field]),
);

/** Returns a name without differences of case, blanks, `-` and `_`. */
export function columnKey(name: string): string {
  return name
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[\s_\uFEFF-]+/g, '');
}

export function columnOf(name: string): Column {
  const key = columnKey(name);
  return { name, key, field: FIELDS.get(key) ?? unknownSetting(name, key) };
}

/** A service may have more settings than Herald knows. */
function unknownSetting(name: string, key: string): string | undefined {
  if (!key.startsWith(columnKey(SETTING))) return undefined;
  const setting = name.slice(name.indexOf('.') + 1).trim();
  return setting === '' ? undefined : SETTING + setting;
}

/** Returns the name of a voice setting, or undefined for other fields. */
export const settingOf = (field: string): string | undefined =>
  field.startsWith(SETTING) ? field.slice(SETTING.length) : undefined;

/** A column with its place in the row, counted from 1. */
interface PlacedColumn {
  name: string;
  number: number;
}

/** Returns the first two columns with the same key, or undefined. */
export function sameColumns(
  columns: readonly Column[],
): { first: PlacedColumn; second: PlacedColumn } | undefined {
  const placed = new Map<string, PlacedColumn>();
  for (const [index, { name, key }] of columns.entries()) {
    const first = placed.get(key);
    const column = { name, number: index + 1 };
    if (first !== undefined) return { first, second: column };
    if (key !== '') placed.set(key, column);
  }
  return undefined;
}

/** Returns the fields of the columns that Herald knows. Any other name can be the content of a file that is not a table. */
export const knownFields = (columns: readonly Column[]): string[] =>
  columns.flatMap(({ key }) => FIELDS.get(key) ?? []);

/**
 * Returns a row with all columns of its table. Otherwise a tag of an optional column would be unknown if the row is sent back in
 * alone. A row without any column, such as a broken line, stays unchanged.
 */
export function withColumns(
  given: Readonly<Record<string, unknown>>,
  columns: readonly string[],
): Readonly<Record<string, unknown>> {
  const own = new Set(Object.keys(given).map(columnKey));
  const missing = columns.filter((name) => !own.has(columnKey(name)));
  if (missing.length === columns.length) return given;
  return { ...given, ...Object.fromEntries(missing.map((name) => [name, ''])) };
}

/** Maximum number of names, and of characters of a name, that a message lists. */
const LIST = { names: 10, characters: 40 };

/** Returns the names of columns for a message. */
export function listed(names: readonly string[]): string {
  const shown = names.slice(0, LIST.names).map((name) => name.trim().slice(0, LIST.characters));
  return [...shown, ...(names.length > LIST.names ? ['…'] : [])].join(', ') || '-';
}
