import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describeIssues } from '@herald-speech/client/interface';
import { z } from 'zod';
import { logLevels } from '../log.js';
import { voicesIn } from '../natural/folders.js';
import { serviceDefaults } from '../service.js';
import { UsageError } from './usage-error.js';
import { speechDefaults } from '../workers/speech.js';

const PORT = 'expected an integer from 0 to 65535';
const MAX_MILLISECONDS = 3_600_000;
const TIME = `expected milliseconds, an integer from 1 to ${MAX_MILLISECONDS}`;

const port = z.int(PORT).min(0, PORT).max(65_535, PORT);
const text = z.string('expected a text').min(1, 'expected a text that is not empty');
const milliseconds = z.int(TIME).min(1, TIME).max(MAX_MILLISECONDS, TIME);
const DELAY = `expected milliseconds, an integer from 0 to ${MAX_MILLISECONDS}`;
const delay = z.int(DELAY).min(0, DELAY).max(MAX_MILLISECONDS, DELAY);
const folderOrUrl = text.refine(isFolderOrUrl, 'expected a folder, or a URL with https, http or file');

/** The settings in the settings file. */
const settingsFile = z.strictObject({
  port: port.optional(),
  host: text.optional(),
  data: text.optional(),
  engines: z.array(text, 'expected a list').optional(),
  voices: text.optional(),
  voicesUrl: folderOrUrl.optional(),
  logLevel: z.enum(logLevels, `expected one of ${logLevels.join(', ')}`).optional(),
  speechTimeout: milliseconds.optional(),
  idleTimeout: milliseconds.optional(),
  simpleVoiceAfter: delay.optional(),
  requestTimeout: milliseconds.optional(),
  grace: milliseconds.optional(),
});

/** Returns false for a URL with another scheme. A Windows path such as `C:\\voices` has no `//`. */
function isFolderOrUrl(place: string): boolean {
  return !/^\w[\w+.-]*:\/\//.test(place) || (URL.canParse(place) && /^(https?|file):/i.test(place));
}

type Layer = z.output<typeof settingsFile>;
type Name = keyof Layer;
export type Settings = { [Key in Name]-?: NonNullable<Layer[Key]> };

const defaults: Settings = {
  port: serviceDefaults.port,
  host: serviceDefaults.host,
  data: serviceDefaults.data,
  engines: [...serviceDefaults.engines],
  voices: '',
  voicesUrl: serviceDefaults.voicesUrl,
  logLevel: 'info',
  speechTimeout: speechDefaults.timeLimit,
  idleTimeout: speechDefaults.idleTimeout,
  simpleVoiceAfter: serviceDefaults.simpleVoiceAfter,
  requestTimeout: serviceDefaults.timeouts.request,
  grace: serviceDefaults.grace,
};

interface Spelling {
  flag: string;
  env: string;
  /** Placeholder of the value. */
  value: string;
  help: string;
  /** Default in words, for a default that is not a fixed value. */
  otherwise?: string;
}

const spellings: Readonly<Record<Name, Spelling>> = {
  port: { flag: 'port', env: 'HERALD_PORT', value: 'PORT', help: 'port, 0 for any free port' },
  host: { flag: 'host', env: 'HERALD_HOST', value: 'HOST', help: 'address to listen on' },
  data: {
    flag: 'data',
    env: 'HERALD_DATA',
    value: 'DIR',
    help: 'folder of accounts, keys and custom voices',
  },
  engines: {
    flag: 'engines',
    env: 'HERALD_ENGINES',
    value: 'MODULE,...',
    help: 'modules of additional voice engines',
  },
  voices: {
    flag: 'voices',
    env: 'HERALD_VOICES',
    value: 'DIR',
    help: 'folder of natural voices',
    otherwise: 'voices in the data folder',
  },
  voicesUrl: {
    flag: 'voices-url',
    env: 'HERALD_VOICES_URL',
    value: 'URL',
    help: 'voice repository or its mirror, or a folder',
    otherwise: 'the public repository',
  },
  logLevel: { flag: 'log-level', env: 'HERALD_LOG_LEVEL', value: 'LEVEL', help: logLevels.join(', ') },
  speechTimeout: {
    flag: 'speech-timeout',
    env: 'HERALD_SPEECH_TIMEOUT',
    value: 'MS',
    help: 'time to generate speech, then a 408',
  },
  idleTimeout: {
    flag: 'idle-timeout',
    env: 'HERALD_IDLE_TIMEOUT',
    value: 'MS',
    help: 'without speech for this time, the voice engines end',
  },
  simpleVoiceAfter: {
    flag: 'simple-voice-after',
    env: 'HERALD_SIMPLE_VOICE_AFTER',
    value: 'MS',
    help: 'time to the first audio of a natural voice, then a simple voice speaks; 0 for no limit',
  },
  requestTimeout: {
    flag: 'request-timeout',
    env: 'HERALD_REQUEST_TIMEOUT',
    value: 'MS',
    help: 'time for a request to arrive, then a 408',
  },
  grace: { flag: 'grace', env: 'HERALD_GRACE', value: 'MS', help: 'time for current requests when it stops' },
};

const names = Object.keys(spellings).filter(isName);

function isName(name: string): name is Name {
  return Object.hasOwn(spellings, name);
}

/** The flags of the settings, as options of `parseArgs`. */
export const settingFlags: Readonly<Record<string, { type: 'string' }>> = Object.fromEntries(
  names.map((name) => [spellings[name].flag, { type: 'string' }]),
);

/** The lines of the help about the settings. */
export const settingsHelp: string = names.map(helpOf).join('\n');

function helpOf(name: Name): string {
  const { flag, env, value, help, otherwise = String(defaults[name]) || 'none' } = spellings[name];
  return `  ${`--${flag} ${value}`.padEnd(23)} ${help} (${env}, ${otherwise})`;
}

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
): Settings {
  const file = flags['config'] ?? textOf(env['HERALD_CONFIG']);
  const variables = names.filter((name) => flags[spellings[name].flag] === undefined);
  const layers = [
    typeof file === 'string' ? check(readJson(file), `${file}: `) : {},
    ...variables.map((name) => readVariable(name, env)),
    check(collect(({ flag }) => flags[flag])),
  ];
  const given = layers.reduce<Layer>((all, layer) => ({ ...all, ...present(layer) }), {});
  const settings: Settings = { ...defaults, ...present(given) };
  const data = path.resolve(given.data ?? findData());
  return {
    ...settings,
    data,
    voices: settings.voices === '' ? voicesIn(data) : path.resolve(settings.voices),
  };
}

/** Reads one setting from its variable, so that an error names the variable. */
function readVariable(name: Name, env: NodeJS.ProcessEnv): Layer {
  const { env: variable } = spellings[name];
  const value = fromText(name, textOf(env[variable]));
  return value === undefined ? {} : check({ [name]: value }, `${variable}: `);
}

/** Returns undefined for a blank variable: service managers and containers set unused variables to blank texts. */
const textOf = (value: string | undefined): string | undefined => (value?.trim() === '' ? undefined : value);

/** Returns the settings that a layer contains. */
function present(layer: Layer): Partial<Settings> {
  return Object.fromEntries(Object.entries(layer).filter(([, value]) => value !== undefined));
}

function collect(read: (spelling: (typeof spellings)[Name]) => unknown): object {
  const found = names.map((name) => [name, fromText(name, read(spellings[name]))]);
  return Object.fromEntries(found.filter(([, value]) => value !== undefined));
}

/** Splits lists at commas and converts numbers. An invalid number remains a text, so that the error message shows it. */
function fromText(name: Name, value: unknown): unknown {
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
