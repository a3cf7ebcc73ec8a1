import { describeIssues } from '@herald-speech/client/interface';
import { z } from 'zod';
import type { ControlReply } from './store/control.js';
import { StoreError } from '../kit/store-error.js';
import { type StoredAccount, MAX_CREDITS } from './accounts.js';
import { AccountsError } from '../kit/errors.js';
import type { KeyInfo } from './keys.js';
import type { AccountLedger } from './ledger.js';
import { tierNames } from './tiers.js';

const MAX_NAME = 100;

const NAME = 'expected letters, digits, spaces and . _ @ + -, with a letter or digit at both ends';
const name = z
  .string(NAME)
  .max(MAX_NAME, `expected at most ${MAX_NAME} characters`)
  .regex(/^[\p{L}\p{N}](?:[\p{L}\p{N} ._@+-]*[\p{L}\p{N}])?$/u, NAME);
const tier = z.enum(tierNames, `expected one of ${tierNames.join(', ')}`);
const credits = z
  .number(`expected seconds of audio, a number from 0 to ${MAX_CREDITS}`)
  .min(0, 'expected 0 or more')
  .max(MAX_CREDITS, `expected at most ${MAX_CREDITS}`);
const KEY = 'expected the identifier of a key from "keys list"';
const key = z.string(KEY).min(1, KEY);

const createAccount = z.strictObject({
  command: z.literal('accounts create'),
  name,
  tier: tier.default('free'),
  credits: credits.default(0),
});
const listAccounts = z.strictObject({ command: z.literal('accounts list') });
const createKey = z.strictObject({ command: z.literal('keys create'), account: name });
const listKeys = z.strictObject({ command: z.literal('keys list'), account: name });
const revokeKey = z.strictObject({ command: z.literal('keys revoke'), account: name, key });
const setCredits = z.strictObject({ command: z.literal('credits set'), account: name, credits });
const addCredits = z.strictObject({ command: z.literal('credits add'), account: name, credits });
const setTier = z.strictObject({ command: z.literal('tier set'), account: name, tier });

const commands = [
  createAccount,
  listAccounts,
  createKey,
  listKeys,
  revokeKey,
  setCredits,
  addCredits,
  setTier,
] as const;

/** The names of all commands, as on the command line. */
export const commandNames = commands.map(({ shape }) => shape.command.value);

/** An administration command. `account` is the name of an account, `credits` are seconds of audio. */
export const adminCommand = z.discriminatedUnion('command', commands, {
  error: ({ code }) => (code === 'invalid_union' ? `expected one of ${commandNames.join(', ')}` : undefined),
});

export type AdminCommand = z.input<typeof adminCommand>;

/** The result of a command. Only commands that create a key return the key. */
export type CommandResult =
  | { account: StoredAccount; key?: KeyInfo & { key: string } }
  | { accounts: StoredAccount[] }
  | { account: StoredAccount; keys: KeyInfo[] }
  | { account: StoredAccount; revoked: KeyInfo };

/**
 * Runs a command in one transaction.
 * @throws AccountsError `invalid` for invalid fields, `not-found`, `conflict`; StoreError
 */
export function runCommand(ledger: AccountLedger, input: unknown): CommandResult {
  const parsed = adminCommand.safeParse(input);
  if (!parsed.success) throw new AccountsError('invalid', describeIssues(parsed.error.issues, input));
  return ledger.transaction(() => run(ledger, parsed.data));
}

function run(ledger: AccountLedger, command: z.output<typeof adminCommand>): CommandResult {
  const { accounts, keys } = ledger;
  switch (command.command) {
    case 'accounts create': {
      const account = accounts.create(command);
      return { account, key: keys.create(account.id) };
    }
    case 'accounts list':
      return { accounts: accounts.list() };
    default:
      return runForAccount(ledger, accounts.named(command.account), command);
  }
}

type AccountCommand = Extract<z.output<typeof adminCommand>, { account: string }>;

function runForAccount(
  { accounts, keys }: AccountLedger,
  account: StoredAccount,
  command: AccountCommand,
): CommandResult {
  switch (command.command) {
    case 'keys create':
      return { account, key: keys.create(account.id) };
    case 'keys list':
      return { account, keys: keys.list(account.id) };
    case 'keys revoke':
      return { account, revoked: keys.revoke(account.id, command.key) };
    case 'credits set':
      return { account: accounts.setCredits(account.id, command.credits) };
    case 'credits add':
      return { account: accounts.addCredits(account.id, command.credits) };
    case 'tier set':
      return { account: accounts.setTier(account.id, command.tier) };
  }
}

/** Runs a command like `runCommand`, and returns refusals as the reply of the control socket. */
export function answerCommand(ledger: AccountLedger, input: unknown): ControlReply {
  try {
    return { result: runCommand(ledger, input) };
  } catch (error) {
    if (!(error instanceof AccountsError || error instanceof StoreError)) throw error;
    return { error: { kind: error.kind, message: error.message } };
  }
}
