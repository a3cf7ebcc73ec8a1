import { logLevels } from '../../kit/log.js';
import { synthesisDefaults } from '../../voices/workers/speech.js';
import { defaults, isSwitchWord, type SettingName, type ServiceSettings } from './schema.js';

export interface SettingSpelling {
  flag: string;
  env: string;
  /** Placeholder of the value. */
  value: string;
  help: string;
  /** Default in words, for a default that is not a fixed value. */
  otherwise?: string;
}

/** Placeholder of a setting that is on or off. Its flag alone means on. */
const SWITCH = 'on|off';

export const spellings: Readonly<Record<SettingName, SettingSpelling>> = {
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
  voice: {
    flag: 'voice',
    env: 'HERALD_VOICE',
    value: 'NAME,...',
    help: 'default voice, then those of other languages; alloy=NAME for a voice of the OpenAI API',
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
    help: 'without speech for this time, the voice engines end, and a natural voice leaves the memory',
    otherwise: `${synthesisDefaults.idleTimeout}, and ${synthesisDefaults.modelIdleTimeout} for natural voices`,
  },
  warmUp: {
    flag: 'warm-up',
    env: 'HERALD_WARM_UP',
    value: SWITCH,
    help: 'load natural voices before their first speech, with up to 400 MB for each',
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
  wyoming: {
    flag: 'wyoming',
    env: 'HERALD_WYOMING',
    value: '[HOST:]PORT',
    help: 'also serve the Wyoming protocol, without a key; HOST is 127.0.0.1 by default',
  },
  wyomingAccount: {
    flag: 'wyoming-account',
    env: 'HERALD_WYOMING_ACCOUNT',
    value: 'NAME',
    help: 'account of Wyoming requests',
  },
  wyomingAnnounce: {
    flag: 'wyoming-announce',
    env: 'HERALD_WYOMING_ANNOUNCE',
    value: 'NAME',
    help: 'announce Wyoming in the network by zeroconf, under this name; on or off',
  },
  metrics: {
    flag: 'metrics',
    env: 'HERALD_METRICS',
    value: SWITCH,
    help: 'serve GET /metrics for Prometheus, without a key',
  },
  mark: {
    flag: 'mark',
    env: 'HERALD_MARK',
    value: SWITCH,
    help: 'mark speech as synthetic, in all formats except raw samples',
  },
  emoji: {
    flag: 'emoji',
    env: 'HERALD_EMOJI',
    value: SWITCH,
    help: 'speak the names of emoji; otherwise emoji are silent',
  },
};

export const names = Object.keys(spellings).filter(isName);

function isName(name: string): name is SettingName {
  return Object.hasOwn(spellings, name);
}

/** The flags of the settings, as options of `parseArgs`. */
export const settingFlags: Readonly<Record<string, { type: 'string' }>> = Object.fromEntries(
  names.map((name) => [spellings[name].flag, { type: 'string' }]),
);

const switchFlags = Object.values(spellings)
  .filter(({ value }) => value === SWITCH)
  .map(({ flag }) => `--${flag}`);

/**
 * Adds `=on` to each switch that has no value, because `parseArgs` has no flags with an optional value. A word after a switch is its
 * value if it means on or off. The last word is a value too, so that `--metrics maybe` is an error. Words after `--` are no flags.
 */
export function withSwitchValues(args: readonly string[]): string[] {
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  return args.map((word, index) => {
    if (index >= end || !switchFlags.includes(word)) return word;
    const next = index + 1 < end ? args[index + 1] : undefined;
    const isLast = index + 2 === end;
    const hasValue = next !== undefined && (isSwitchWord(next) || (isLast && !next.startsWith('-')));
    return hasValue ? word : `${word}=on`;
  });
}

/** Returns the placeholder of the value of a flag. Flags of commands have no entry here. */
export const placeholderOf = (flag: string): string =>
  names.map((name) => spellings[name]).find((spelling) => spelling.flag === flag)?.value ?? 'VALUE';

/** The lines of the help about the settings. */
export const settingsHelp: string = names.map(helpOf).join('\n');

function helpOf(name: SettingName): string {
  const { flag, env, value, help, otherwise = shown(defaults[name]) } = spellings[name];
  return `  ${`--${flag} ${value}`.trim().padEnd(23)} ${help} (${env}, ${otherwise})`;
}

function shown(value: ServiceSettings[SettingName]): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return String(value) || 'none';
}
