/** Voice settings as text, and their ranges. */

/** Of one setting; the build takes these from the client. */
export interface Range {
  min: number;
  max: number;
  default: number;
}

export type Ranges = Readonly<Record<string, Range>>;
export type Settings = Readonly<Record<string, unknown>>;

/** What a service would refuse: a key of the node's words, and what they speak of. */
export interface SettingsProblem {
  key: 'settings.not-an-object' | 'settings.unknown' | 'settings.out-of-range';
  values?: { name: string; min?: number; max?: number };
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The ranges in what the build wrote into a node's registration. */
export function rangesIn(registered: unknown): Ranges {
  const entries = isObject(registered) ? Object.entries(registered) : [];
  return Object.fromEntries(entries.filter((entry): entry is [string, Range] => isRange(entry[1])));
}

const isRange = (value: unknown): value is Range =>
  isObject(value) && 'min' in value && 'max' in value && 'default' in value;

/** The settings in a text; blank is none; undefined when the text is not an object in JSON. */
export function parseSettings(text: string): Settings | undefined {
  if (text.trim() === '') return {};
  try {
    const parsed: unknown = JSON.parse(text);
    return isObject(parsed) ? Object.fromEntries(Object.entries(parsed)) : undefined;
  } catch {
    return undefined;
  }
}

/** Settings as text; none is blank. */
export function formatSettings(settings: Settings): string {
  return Object.keys(settings).length === 0 ? '' : JSON.stringify(settings);
}

/** What is wrong with a text of settings; an environment variable can't be looked into. */
export function settingsProblem(text: string, ranges: Ranges): SettingsProblem | undefined {
  if (/^\$\{[^}]+\}$/.test(text)) return undefined;
  const settings = parseSettings(text);
  if (settings === undefined) return { key: 'settings.not-an-object' };
  const problems = Object.entries(settings).map(([name, value]) => settingProblem(name, value, ranges[name]));
  return problems.find((problem) => problem !== undefined);
}

function settingProblem(name: string, value: unknown, range: Range | undefined): SettingsProblem | undefined {
  // Node-RED inserts the message of a validator as HTML, and an imported flow may contain any name.
  if (range === undefined) return { key: 'settings.unknown', values: { name: name.replace(/[<>&]/g, '') } };
  const { min, max } = range;
  if (typeof value === 'number' && value >= min && value <= max) return undefined;
  return { key: 'settings.out-of-range', values: { name, min, max } };
}
