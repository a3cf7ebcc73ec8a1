import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describeIssues } from '@herald-speech/client/interface';
import { voicesFolder } from '../../voices/installed/folders.js';
import { UsageError } from '../usage-error.js';
import { defaults, type Layer, type SettingName, type ServiceSettings, settingsFile } from './schema.js';
import { names, type SettingSpelling, spellings } from './spellings.js';

/**
 * Reads the settings. A flag has priority over an environment variable, a variable over the settings file, and the file
 * over the default. A blank variable counts as unset, and a variable with a flag is not read.
 * @param flags the values of the flags by name; `config` and HERALD_CONFIG name the settings file
 * @param findData returns the data folder if no layer names it
 * @throws UsageError for an unknown setting, an invalid value or an unreadable file
 */
export function readSettings(
  flags: Readonly<Record<string, unknown>>,
  env: NodeJS.ProcessEnv,
  findData: () => string = () => defaults.data,
): ServiceSettings {
  const file = flags['config'] ?? textOf(env['HERALD_CONFIG']);
  const variables = names.filter((name) => flags[spellings[name].flag] === undefined);
  const layers = [
    typeof file === 'string' ? check(readJson(file), `${file}: `) : {},
    ...variables.map((name) => readVariable(name, env)),
    check(collect(({ flag }) => flags[flag])),
  ];
  const given = layers.reduce<Layer>((all, layer) => ({ ...all, ...present(layer) }), {});
  const settings: ServiceSettings = { ...defaults, ...present(given) };
  const data = path.resolve(given.data ?? findData());
  return {
    ...settings,
    data,
    voices: settings.voices === '' ? voicesFolder(data) : path.resolve(settings.voices),
  };
}

/** Reads one setting from its variable, so that an error names the variable. */
function readVariable(name: SettingName, env: NodeJS.ProcessEnv): Layer {
  const { env: variable } = spellings[name];
  const value = fromText(name, textOf(env[variable]));
  return value === undefined ? {} : check({ [name]: value }, `${variable}: `);
}

/** Returns undefined for a blank variable: service managers and containers set unused variables to blank texts. */
const textOf = (value: string | undefined): string | undefined => (value?.trim() === '' ? undefined : value);

/** Returns the settings that a layer contains. */
function present(layer: Layer): Partial<ServiceSettings> {
  return Object.fromEntries(Object.entries(layer).filter(([, value]) => value !== undefined));
}

function collect(read: (spelling: SettingSpelling) => unknown): object {
  const found = names.map((name) => [name, fromText(name, read(spellings[name]))]);
  return Object.fromEntries(found.filter(([, value]) => value !== undefined));
}

/** Splits lists at commas, and converts numbers. An invalid value remains a text, so that the error message shows it. */
function fromText(name: SettingName, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (Array.isArray(defaults[name])) return value.split(',');
  return typeof defaults[name] === 'number' && /^\d{1,9}$/.test(value) ? Number(value) : value;
}

function check(layer: unknown, where = ''): Layer {
  const parsed = settingsFile.safeParse(layer);
  if (parsed.success) return parsed.data;
  throw new UsageError(where + describeIssues(parsed.error.issues, withoutLogin(layer)));
}

/** Removes user names and passwords from URLs, because messages show values. */
function withoutLogin(layer: unknown): unknown {
  return typeof layer === 'object' && layer !== null
    ? Object.fromEntries(Object.entries(layer).map(([name, value]) => [name, plain(value)]))
    : layer;
}

const plain = (value: unknown): unknown =>
  typeof value === 'string' ? value.replace(/^(?!file:)([a-z][a-z\d+.-]*:\/\/).*@/is, '$1') : value;

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new UsageError(`${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
