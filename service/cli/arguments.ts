import { parseArgs } from 'node:util';
import { tierNames } from '../accounts/tiers.js';
import { CONSOLE_COMMAND } from '../console/console-command.js';
import { adminFlags, adminHelp } from './admin-command.js';
import { MARK_HELP, markFlags } from './mark-command.js';
import { READ_HELP } from './read-command.js';
import { placeholderOf, settingFlags, settingsHelp, withSwitchValues } from './settings/spellings.js';
import { UsageError } from './usage-error.js';
import { VOICES_SUMMARY, voicesFlags } from './voices/voices-command.js';

/** The help of the program. */
export const HELP = `Usage: herald-service [options]
       herald-service COMMAND [options]

Starts a local text-to-speech service. It runs until it receives SIGTERM or SIGINT. On a terminal, it
prints its URL, its API key and a link to its console. Clients of the OpenAI API use the same key, and the URL with /v1.

Settings, with environment variable and default. A flag overrides the variable, the variable overrides the file:
${settingsHelp}
  --config FILE           settings file: JSON with port, host, data, logLevel, ... (HERALD_CONFIG, none)

  --json                  print {"url", "key", "wyoming"} or the result of a command as one line of JSON
  --watch-stdin           stop when standard input ends, for example because the parent process ended
  --quiet                 same as --log-level none
  --help                  print this help
  --version               print the version

Commands, for the accounts in --data DIR. The service may be running or stopped:
${adminHelp}
  ${CONSOLE_COMMAND} (prints a link to the console of the running service; it works once, within 10 minutes)
${MARK_HELP}
${READ_HELP}
${VOICES_SUMMARY}

TIER is ${tierNames.slice(0, -1).join(', ')} or ${tierNames.at(-1)}. A command shows a new API key once.
`;

const options = {
  ...settingFlags,
  ...adminFlags,
  ...voicesFlags,
  ...markFlags,
  config: { type: 'string' },
  json: { type: 'boolean', default: false },
  'watch-stdin': { type: 'boolean', default: false },
  quiet: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
  version: { type: 'boolean', default: false },
} as const;

/** Splits the words of a command line into flags and positionals. @throws UsageError */
export function readArguments(args: readonly string[]) {
  try {
    return parseArgs({ args: withSwitchValues(args), options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(messageOf(error));
  }
}

/** Returns the message for a wrong flag. The messages of Node.js have no values and advice that does not fit. */
function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const unknown = /^Unknown option '(?<flag>-[^']*)'/.exec(message)?.groups?.['flag'];
  if (unknown !== undefined) return `${unknown}: unknown flag`;
  const { flag, problem } =
    /^Option '(?:-\w, )?--(?<flag>[\w-]+)(?:[^\w'-][^']*)?' (?:argument is )?(?<problem>argument missing|ambiguous|does not take)/.exec(
      message,
    )?.groups ?? {};
  if (flag === undefined) return message;
  if (problem === 'does not take') return `--${flag} has no value: use --${flag} alone`;
  return `--${flag}: the value is missing. Use --${flag} ${placeholderOf(flag)}`;
}

/** The values of the flags. */
export type Flags = ReturnType<typeof readArguments>['values'];

/** @throws UsageError if a flag is set that only other commands have */
export function checkNoFlag(values: Flags, flags: object = adminFlags): void {
  const stray = Object.keys(flags).find((flag) => Object.hasOwn(values, flag));
  if (stray !== undefined) throw new UsageError(`--${stray} needs a command: put a command before it`);
}
