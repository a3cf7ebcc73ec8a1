/** Voice settings as text, and their ranges. */

/** Of one setting; the build takes these from the client. */
export interface Range {
  min: number;
  max: number;
  default: number;
}

export type Ranges = Readonly<Record<string, Range>>;
export type Settings = Readonly<Record<string, unknown>>;

/** The ranges that the build wrote into the page. */
export function parseRanges(text: string): Ranges {
  const ranges: Record<string, Range> = {};
  for (const [name, range] of Object.entries(parseSettings(text) ?? {})) {
    if (isRange(range)) ranges[name] = range;
  }
  return ranges;
}

const isRange = (value: unknown): value is Range =>
  typeof value === 'object' && value !== null && 'min' in value && 'max' in value && 'default' in value;

/** The settings in a text; blank is none; undefined when the text is not an object in JSON. */
export function parseSettings(text: string): Settings | undefined {
  if (text.trim() === '') return {};
  try {
    const parsed: unknown = JSON.parse(text);
    const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
    return isObject ? Object.fromEntries(Object.entries(parsed)) : undefined;
  } catch {
    return undefined;
  }
}

/** Settings as text; none is blank. */
export function formatSettings(settings: Settings): string {
  return Object.keys(settings).length === 0 ? '' : JSON.stringify(settings);
}

/** What a service would refuse in a text of settings, in words; an environment variable can't be looked into. */
export function settingsProblem(text: string, ranges: Ranges): string | undefined {
  if (/^\$\{[^}]+\}$/.test(text)) return undefined;
  const settings = parseSettings(text);
  if (settings === undefined) return `expected an object such as {"speed": 1.2}`;
  const problems = Object.entries(settings).map(([name, value]) => settingProblem(name, value, ranges[name]));
  return problems.find((problem) => problem !== undefined);
}

function settingProblem(name: string, value: unknown, range: Range | undefined): string | undefined {
  if (range === undefined) return `${name}: there is no such setting`;
  const fits = typeof value === 'number' && value >= range.min && value <= range.max;
  return fits ? undefined : `${name}: expected a number from ${range.min} to ${range.max}`;
}
