/** Voice settings as JSON text, and their ranges. */
import { isEnvironmentVariable, withoutHtml } from '../../lib/typed-text.js';

/** The range of one setting. The build reads it from the client. */
export interface Range {
  min: number;
  max: number;
  default: number;
}

export type Ranges = Readonly<Record<string, Range>>;
export type EditedSettings = Readonly<Record<string, unknown>>;

/** A key of the node's localized texts, and the values for its placeholders. */
export interface SettingsProblem {
  key: 'settings.not-an-object' | 'settings.unknown' | 'settings.out-of-range';
  values?: { name: string; min?: number; max?: number };
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Parses a JSON object. Blank text returns an empty object, any other text undefined. */
export function parseSettings(text: string): EditedSettings | undefined {
  if (text.trim() === '') return {};
  try {
    const parsed: unknown = JSON.parse(text);
    return isObject(parsed) ? Object.fromEntries(Object.entries(parsed)) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns settings as JSON. Empty settings return ''. */
export function formatSettings(settings: EditedSettings): string {
  return Object.keys(settings).length === 0 ? '' : JSON.stringify(settings);
}

/** Returns the first problem of a JSON text. An environment variable has no problem. */
export function jsonProblem(text: string, ranges: Ranges): SettingsProblem | undefined {
  if (isEnvironmentVariable(text)) return undefined;
  const settings = parseSettings(text);
  if (settings === undefined) return { key: 'settings.not-an-object' };
  const problems = Object.entries(settings).map(([name, value]) => settingProblem(name, value, ranges[name]));
  return problems.find((problem) => problem !== undefined);
}

function settingProblem(name: string, value: unknown, range: Range | undefined): SettingsProblem | undefined {
  if (range === undefined) return { key: 'settings.unknown', values: { name: withoutHtml(name) } };
  const { min, max } = range;
  return isIn(value, range) ? undefined : { key: 'settings.out-of-range', values: { name, min, max } };
}

/** Whether a value is a number in a range. */
export const isIn = (value: unknown, { min, max }: Range): boolean =>
  typeof value === 'number' && value >= min && value <= max;

/**
 * Returns settings with one changed. A text that is no number is kept as typed, so that no other value is saved in its place. A
 * comma counts as a decimal point, and a blank text removes the setting.
 */
export function withSetting(settings: EditedSettings, name: string, text: string): EditedSettings {
  const { [name]: _former, ...others } = settings;
  const typed = text.trim();
  const value = Number(typed.replace(',', '.'));
  return typed === '' ? others : { ...others, [name]: Number.isFinite(value) ? value : typed };
}

/**
 * Returns a setting as the user would type it. A missing setting is blank. A text that would count as another value, such as the
 * saved text `"1.2"`, has its quotes: the user sees why it is invalid.
 */
export function settingText(value: unknown): string {
  if (value === undefined) return '';
  const isTyped = typeof value === 'string' && withSetting({}, '', value)[''] === value;
  return isTyped ? value : JSON.stringify(value);
}
