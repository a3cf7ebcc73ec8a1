import { UsageError } from '../usage-error.js';

/** The actions with their arguments, for the help and the check of the arguments. */
const actions = {
  available: { words: '', min: 0, max: 0, help: 'lists the voices that can be installed' },
  list: { words: '', min: 0, max: 0, help: 'lists the installed voices with licence, speed and memory' },
  install: {
    words: 'NAME...',
    min: 1,
    max: Infinity,
    help: 'shows the licence, asks, downloads, checks and measures; repairs a damaged voice',
  },
  measure: {
    words: '[NAME...]',
    min: 0,
    max: Infinity,
    help: 'measures the speed of installed voices again',
  },
  verify: { words: '[NAME...]', min: 0, max: Infinity, help: 'checks the files of installed voices' },
  remove: { words: 'NAME...', min: 1, max: Infinity, help: 'removes installed voices' },
  export: {
    words: 'NAME...',
    min: 1,
    max: Infinity,
    help: 'writes each voice to the file NAME.tar in the working directory, for a computer without a network',
  },
  import: { words: 'FILE|FOLDER', min: 1, max: 1, help: 'installs voices from files on this computer' },
  native: {
    words: '[install|remove] [FILE]',
    min: 0,
    max: 2,
    help: 'shows, installs or removes the native runtime, which makes voices about three times faster',
  },
  refresh: { words: '', min: 0, max: 0, help: 'loads the current list from the voice repository' },
} as const;

type VoicesAction = keyof typeof actions;

/** The flags of the commands for voices, as options of `parseArgs`. */
export const voicesFlags = {
  language: { type: 'string' },
  search: { type: 'string' },
  yes: { type: 'boolean' },
  mirror: { type: 'string' },
} as const;

type VoicesFlag = keyof typeof voicesFlags;

/** The actions of each flag. */
const uses: Readonly<Record<VoicesFlag, readonly VoicesAction[]>> = {
  language: ['available', 'list', 'install'],
  search: ['available', 'list'],
  yes: ['install'],
  mirror: ['install', 'refresh'],
};

export interface VoicesCommand {
  action: VoicesAction;
  /** The arguments after the action. */
  words: readonly string[];
  language?: string;
  search?: string;
  yes: boolean;
  mirror?: string;
}

/** The result of a command. */
export interface VoicesOutput {
  /** For programs, with `--json`. */
  json: object;
  /** For users. */
  text: string;
  /** Whether the command found problems, which the exit code reports. */
  hasProblems?: boolean;
}

/** Returns whether a command line is for voices. */
export const isVoicesCommand = (words: readonly string[]): boolean => words[0] === 'voices';

/**
 * Converts a command line to a command.
 * @param words the arguments without the flags, beginning with `voices`
 * @param flags the values of the flags by name
 * @throws UsageError for an unknown command, wrong arguments or a flag of another command
 */
export function toVoicesCommand(
  [, name = '', ...words]: readonly string[],
  flags: Readonly<Record<string, unknown>>,
): VoicesCommand {
  if (!isAction(name)) {
    const known = actionNames.join(', ');
    throw new UsageError(`command "${`voices ${name}`.trim()}": unknown command. Use one of ${known}`);
  }
  const { min, max, words: expected } = actions[name];
  // A script may add --yes to each command.
  const foreign = flagNames.find(
    (flag) => flag !== 'yes' && flags[flag] !== undefined && !uses[flag].includes(name),
  );
  if (foreign !== undefined) {
    throw new UsageError(
      `--${foreign}: has no effect on voices ${name}. Use it with voices ${uses[foreign].join(', ')}`,
    );
  }
  if (words.length < min || words.length > max) {
    throw new UsageError(`wrong arguments: expected herald-service voices ${`${name} ${expected}`.trim()}`);
  }
  return { action: name, words, yes: flags['yes'] === true, ...textsOf(flags) };
}

const flagNames = Object.keys(voicesFlags).filter(isFlag);

function isFlag(name: string): name is VoicesFlag {
  return Object.hasOwn(voicesFlags, name);
}

export function isAction(name: string): name is VoicesAction {
  return Object.hasOwn(actions, name);
}

/** @throws UsageError for a blank value */
function textsOf(
  flags: Readonly<Record<string, unknown>>,
): Pick<VoicesCommand, 'language' | 'search' | 'mirror'> {
  const given = (['language', 'search', 'mirror'] as const).flatMap((flag) => {
    const value = flags[flag];
    if (typeof value !== 'string') return [];
    if (value.trim() === '') throw new UsageError(`--${flag}: expected a text that is not empty`);
    return [[flag, value.trim()] as const];
  });
  return Object.fromEntries(given);
}

const actionNames = Object.keys(actions).filter(isAction);

/** One line for the help of `herald-service`. */
export const VOICES_SUMMARY = `  voices ${actionNames.join('|')} (natural voices; see herald-service voices --help)`;

const flagLines: Readonly<Record<VoicesFlag, string>> = {
  language: '  --language CODE         only voices of a language, such as de or en-GB',
  search: '  --search WORDS          only voices with these words in name, language or gender',
  yes: '  --yes                   accepts the licences without a question, for scripts',
  mirror:
    '  --mirror URL|FOLDER     another address of the voice repository, or a folder with its files (HERALD_VOICES_URL)',
};

/** The flags of all commands. */
const COMMON_LINES = `  --data DIR              data folder of the service (HERALD_DATA; default: the folder of Node-RED's service, if
                          this is its user directory or no other service has run, else ~/.herald)
  --voices DIR            folder of the installed voices (HERALD_VOICES; default: voices in the data folder)
  --json                  prints the result as one line of JSON`;

const NAME_LINES = 'NAME is a name such as de_DE-thorsten-medium, or enough of its parts: thorsten-medium.';

/**
 * Returns the help of a command for voices, or of all of them.
 * @param words the arguments without the flags, beginning with `voices`
 */
export function voicesHelp([, name = '']: readonly string[]): string {
  if (!isAction(name)) return ALL_HELP;
  const { words, help } = actions[name];
  const ownFlags = flagNames.filter((flag) => uses[flag].includes(name));
  return [
    `Usage: herald-service voices ${[name, words, '[options]'].filter((word) => word !== '').join(' ')}`,
    `\n${help.charAt(0).toUpperCase()}${help.slice(1)}.`,
    ...(words.includes('NAME') ? [NAME_LINES] : []),
    '',
    ...ownFlags.map((flag) => flagLines[flag]),
    `${COMMON_LINES}\n`,
  ].join('\n');
}

const actionLines = actionNames.map(
  (name) => `  ${`voices ${name} ${actions[name].words}`.padEnd(24)} ${actions[name].help}`,
);

const ALL_HELP = `Usage: herald-service voices COMMAND [options]

Manages natural voices: voices in the format of Piper, which run on this computer. The service may be running or stopped.
Only install and refresh use the network.

${actionLines.join('\n')}

${NAME_LINES}

${flagNames.map((flag) => flagLines[flag]).join('\n')}
${COMMON_LINES}

For the flags of a command, run "herald-service voices COMMAND --help".
`;
