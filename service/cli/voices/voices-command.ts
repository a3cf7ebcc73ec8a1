import { UsageError } from '../usage-error.js';

/** The actions with their arguments, for the help and the check of the arguments. */
export const actions = {
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

export type VoicesAction = keyof typeof actions;

/** The flags of the commands for voices, as options of `parseArgs`. */
export const voicesFlags = {
  language: { type: 'string' },
  search: { type: 'string' },
  yes: { type: 'boolean' },
  mirror: { type: 'string' },
} as const;

export type VoicesFlag = keyof typeof voicesFlags;

/** The actions of each flag. */
export const uses: Readonly<Record<VoicesFlag, readonly VoicesAction[]>> = {
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
    const known = Object.keys(actions).join(', ');
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
