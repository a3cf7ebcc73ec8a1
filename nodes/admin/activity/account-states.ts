import { asSpeechError, type Budget, operations, PAGE_SIZE, type SpeechError } from '@herald-speech/client';
import type { NodeAPI } from 'node-red';
import { type AccountNode, deployedAccounts } from '../../account/account-node.js';
import { ANSWER_TIMEOUT_MS, noAnswer } from '../account/explain-test.js';
import { dataFolder } from '../../account/connection.js';
import { hasOperation } from '../../account/operations.js';
import { localServiceState } from '../../account/local/local-service.js';

/** Milliseconds for which a balance is valid, however many editors show it. */
const BALANCE_TTL_MS = 60_000;

type ErrorView = (error: SpeechError) => object;

/** The state of an account for the sidebar. */
interface AccountState {
  id: string;
  /** The name of the account, the host of its service, or `local`. */
  name: string;
  /** The kind of its service. */
  service: string;
  /**
   * `running`, `starting`, `restarting` or `stopped` for the local service. `reachable`, `unreachable`, `not-configured` or
   * `outage` for a remote one. During an outage, the fallback speaks.
   */
  state: string;
  /** Credits. Null if the service is free of charge. Missing for a service that does not count credits. */
  balance?: number | null | undefined;
  /** The use of the budget. */
  budget?: Awaited<ReturnType<Budget['used']>>;
  error?: object;
}

/**
 * Returns the states of all deployed accounts, and of the local service for nodes without an account. Starts no service, and costs
 * no credits.
 */
export async function accountStates(RED: NodeAPI, errorView: ErrorView): Promise<AccountState[]> {
  const accounts = deployedAccounts(RED);
  const states = await Promise.all(accounts.map((account) => stateOf(RED, account, errorView)));
  const hasLocal = states.some(({ service }) => service === 'local');
  const isRunning = localState(RED) !== 'stopped';
  return hasLocal || !isRunning ? states : [...states, localAccount(RED, 'local', 'local')];
}

async function stateOf(RED: NodeAPI, account: AccountNode, errorView: ErrorView): Promise<AccountState> {
  const { name } = account.speaker;
  const { id } = account;
  const { kind } = account.service();
  try {
    if (kind === 'local') return localAccount(RED, id, name);
    const [balance, budget] = await Promise.all([balanceOf(account), account.budgetUse?.()]);
    const remote = { id, name, service: kind, ...(budget && { budget }) };
    const isOut = account.speaker.breaker.isOpen();
    if ('error' in balance)
      return {
        ...remote,
        state: isOut ? 'outage' : stateAfter(balance.error),
        error: errorView(balance.error),
      };
    return { ...remote, state: isOut ? 'outage' : 'reachable', balance: balance.balance };
  } catch (thrown) {
    const error = asSpeechError(thrown);
    return { id, name, service: kind, state: stateAfter(error), error: errorView(error) };
  }
}

const stateAfter = ({ code }: SpeechError): string =>
  code === 'not-configured' ? 'not-configured' : 'unreachable';

const localAccount = (RED: NodeAPI, id: string, name: string): AccountState => ({
  id,
  name,
  service: 'local',
  state: localState(RED),
});

function localState(RED: NodeAPI): string {
  try {
    return localServiceState(dataFolder(RED));
  } catch {
    // The local service needs a data folder.
    return 'stopped';
  }
}

type Balance = { balance?: number | null } | { error: SpeechError };

/** The last request for the balance of each account. A deploy creates a new node, and so a new request. */
const balances = new WeakMap<AccountNode, { askedAt: number; balance: Promise<Balance> }>();

function balanceOf(account: AccountNode): Promise<Balance> {
  const known = balances.get(account);
  const now = performance.now();
  if (known !== undefined && now - known.askedAt < BALANCE_TTL_MS) return known.balance;
  const balance = readBalance(account);
  balances.set(account, { askedAt: now, balance });
  return balance;
}

async function readBalance(account: AccountNode): Promise<Balance> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(noAnswer()), ANSWER_TIMEOUT_MS);
  const { signal } = late;
  try {
    const client = await account.connect(signal);
    const options = { signal, attempts: 1 };
    if (hasOperation(client.features, operations.getCredits))
      return await client.call(operations.getCredits, {}, options);
    await client.call(operations.searchVoices, { page_size: PAGE_SIZE.min }, options);
    return {};
  } catch (error) {
    return { error: asSpeechError(error) };
  } finally {
    clearTimeout(timer);
  }
}
