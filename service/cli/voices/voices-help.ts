import { actions, isAction, uses, type VoicesFlag } from './voices-command.js';

const names = Object.keys(actions).filter(isAction);

/** One line for the help of `herald-service`. */
export const VOICES_SUMMARY = `  voices ${names.join('|')} (natural voices; see herald-service voices --help)`;

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
  const ownFlags = flags.filter((flag) => uses[flag].includes(name));
  return [
    `Usage: herald-service voices ${[name, words, '[options]'].filter((word) => word !== '').join(' ')}`,
    `\n${help.charAt(0).toUpperCase()}${help.slice(1)}.`,
    ...(words.includes('NAME') ? [NAME_LINES] : []),
    '',
    ...ownFlags.map((flag) => flagLines[flag]),
    `${COMMON_LINES}\n`,
  ].join('\n');
}

const flags = ['language', 'search', 'yes', 'mirror'] as const satisfies readonly VoicesFlag[];

const actionLines = names.map(
  (name) => `  ${`voices ${name} ${actions[name].words}`.padEnd(24)} ${actions[name].help}`,
);

const ALL_HELP = `Usage: herald-service voices COMMAND [options]

Manages natural voices: voices in the format of Piper, which run on this computer. The service may be running or stopped.
Only install and refresh use the network.

${actionLines.join('\n')}

${NAME_LINES}

${flags.map((flag) => flagLines[flag]).join('\n')}
${COMMON_LINES}

For the flags of a command, run "herald-service voices COMMAND --help".
`;
