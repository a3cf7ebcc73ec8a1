import { describeIssues } from '@herald-speech/client/interface';
import { z } from 'zod';
import { type AdminCommand, adminCommand, commandNames } from '../accounts/commands.js';
import { UsageError } from './usage-error.js';

type CommandName = AdminCommand['command'];

/** The meaning of an argument or a flag. */
interface Field {
  /** Name of the field in the command. A flag has the same name. */
  field: string;
  /** Placeholder in the help. */
  value: string;
}

interface Grammar {
  /** The arguments after the name of the command, in order. */
  words: readonly Field[];
  flags: readonly (Field & { isRequired?: boolean })[];
}

const account = { field: 'account', value: 'NAME', isRequired: true };
const credits = { field: 'credits', value: 'SECONDS' };
const tier = { field: 'tier', value: 'TIER' };

const grammars: Readonly<Record<CommandName, Grammar>> = {
  'accounts create': { words: [{ field: 'name', value: 'NAME' }], flags: [tier, credits] },
  'accounts list': { words: [], flags: [] },
  'keys create': { words: [], flags: [account] },
  'keys list': { words: [], flags: [account] },
  'keys revoke': { words: [{ field: 'key', value: 'ID' }], flags: [account] },
  'credits set': { words: [credits], flags: [account] },
  'credits add': { words: [credits], flags: [account] },
  'tier set': { words: [tier], flags: [account] },
};

/** The flags of all commands, as options of `parseArgs`. */
export const adminFlags = {
  account: { type: 'string' },
  tier: { type: 'string' },
  credits: { type: 'string' },
} as const;

/** The lines of the help about the commands. */
export const adminHelp: string = commandNames.map((name) => `  ${usageOf(name)}`).join('\n');

function usageOf(name: CommandName): string {
  const { words, flags } = grammars[name];
  const flagWords = flags.map(({ field, value, isRequired }) =>
    isRequired ? `--${field} ${value}` : `[--${field} ${value}]`,
  );
  return [name, ...words.map(({ value }) => value), ...flagWords].join(' ');
}

/**
 * Converts a command line to a command.
 * @param words the arguments without the flags
 * @param flags the values of the flags by name
 * @throws UsageError for an unknown command, wrong arguments or an invalid value
 */
export function toCommand(words: readonly string[], flags: Readonly<Record<string, unknown>>): AdminCommand {
  const command = commandNames.find((name) => name === words.slice(0, 2).join(' '));
  if (command === undefined) {
    throw new UsageError(unknownCommand(words, flags));
  }
  checkUse(command, words.length - 2, flags);
  const grammar = grammars[command];
  const given = [
    ...grammar.words.map(({ field }, index) => [field, words[index + 2]] as const),
    ...grammar.flags.map(({ field }) => [field, flags[field]] as const),
  ];
  return checked({ command, ...Object.fromEntries(given.map(toField)) });
}

const SWITCH_WORD = /^(on|off|true|false|1|0)$/i;

/** The word may be the value of a flag that has none, such as in `--quiet on`. */
function unknownCommand(words: readonly string[], flags: Readonly<Record<string, unknown>>): string {
  const line = words.join(' ');
  const flag = SWITCH_WORD.test(line) ? Object.keys(flags).find((name) => flags[name] === true) : undefined;
  if (flag !== undefined) return `--${flag} has no value: leave "${line}" out`;
  return `command "${line}": unknown command. Use one of ${[...commandNames, ...otherCommands].join(', ')}`;
}

/** Commands that do not change accounts. */
const otherCommands = ['console', 'voices', 'mark-key', 'verify', 'read'];

function checkUse(command: CommandName, count: number, flags: Readonly<Record<string, unknown>>): void {
  const { words, flags: known } = grammars[command];
  const foreign = Object.keys(adminFlags).find(
    (flag) => flags[flag] !== undefined && known.every(({ field }) => field !== flag),
  );
  const isMissing = known.some(({ field, isRequired }) => isRequired && flags[field] === undefined);
  if (count !== words.length || foreign !== undefined || isMissing) {
    throw new UsageError(`the arguments do not fit the command: expected herald-service ${usageOf(command)}`);
  }
}

/** Converts credits to a number. An invalid number remains a text, so that the error message shows it. */
function toField([field, value]: readonly [string, unknown]): [string, unknown] {
  const isNumber = field === 'credits' && typeof value === 'string' && /^\d+(\.\d+)?$/.test(value);
  return [field, isNumber ? Number(value) : value];
}

function checked(command: object): AdminCommand {
  const parsed = adminCommand.safeParse(command);
  if (parsed.success) return parsed.data;
  throw new UsageError(describeIssues(parsed.error.issues, command));
}

const accountShape = z.object({
  name: z.string(),
  tier: z.string(),
  credits: z.number().nullable(),
  created: z.string(),
});
const keyShape = z.object({
  id: z.string(),
  hint: z.string(),
  created: z.string(),
  revoked: z.string().nullable(),
});

/** The fields of all results. Each command returns some of them. */
const resultShape = z.object({
  account: accountShape.optional(),
  accounts: z.array(accountShape).optional(),
  key: keyShape.extend({ key: z.string() }).optional(),
  keys: z.array(keyShape).optional(),
  revoked: keyShape.optional(),
});

/** The result of a command. */
export interface CommandOutput {
  /** For programs, with `--json`. */
  json: object;
  /** For users. */
  text: string;
}

/**
 * Formats the result of a command.
 * @param result the `result` of the reply of `administer`
 */
export function toOutput({ command }: AdminCommand, result: unknown): CommandOutput {
  const { account, accounts, key, keys, revoked } = resultShape.parse(result);
  if (accounts !== undefined) return { json: { accounts }, text: table(accounts) };
  const { name, ...facts } = account ?? {};
  if (keys !== undefined) return { json: { account: name, keys }, text: table(keys) };
  if (revoked !== undefined) return { json: { account: name, revoked }, text: table([revoked]) };
  if (key === undefined) return { json: { account: name, ...facts }, text: table(account ? [account] : []) };
  const text = `API key of ${name}: ${key.key}\nCopy it now. It is not shown again.`;
  const json = { account: name, key: key.key, ...(command === 'keys create' && { id: key.id }) };
  return { json, text };
}

/** Formats rows as a table, with the names of the columns in the first line. */
function table(rows: ReadonlyArray<Readonly<Record<string, string | number | null>>>): string {
  const [first] = rows;
  if (first === undefined) return 'none';
  const columns = Object.keys(first);
  const lines = [columns, ...rows.map((row) => columns.map((column) => String(row[column] ?? '-')))];
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => line[index]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
