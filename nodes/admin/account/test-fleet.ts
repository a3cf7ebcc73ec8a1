import { asSpeechError, SpeechError } from '@herald-speech/client';
import type { NodeAPI } from 'node-red';
import { accountOf } from '../../account/account-node.js';
import { fleetPackage } from '../../account/membership/fleet-package.js';
import { redisOf } from '../../account/membership/fleet-settings.js';
import { fleetAccountOf } from '../../account/membership/fleet.js';
import { remoteOf, trimmedText } from '../../account/services.js';
import { localize } from '../../runtime/localize.js';
import { say } from '../../runtime/messages.js';
import type { TypedAccount } from '../endpoint/editor-connections.js';
import { endpoint } from '../endpoint/endpoint.js';
import { savedAccount, STORED, target, typedKey, withoutVariables } from '../endpoint/target.js';

/** The properties that decide where the password goes, and the credentials. */
const ADDRESS = ['fleetUrl', 'fleetTls', 'fleetUser', 'fleetPassword', 'fleetPrefix'];

/** Tests the Redis server of an account, deployed or as typed in the dialog. */
export const testRedisServer = endpoint({
  path: '/herald/fleet',
  permission: 'herald.write',
  request: target,
  isNew: ({ account, typed = {} }, RED) => changedField(RED, account, typed) !== undefined,
  async run({ RED, request: { account, typed = {} }, signal, translator }) {
    const report = await reportOf(RED, account, typed, signal);
    return { ...report, problems: report.problems.map((problem) => localize(translator, problem)) };
  },
});

/** Tests the deployed server if the dialog has the same values, or else the typed one. @throws SpeechError */
async function reportOf(RED: NodeAPI, account: string | undefined, typed: TypedAccount, signal: AbortSignal) {
  const changed = changedField(RED, account, typed);
  if (changed === undefined) return deployedTest(RED, account)(signal);
  if (typed['fleetPassword'] === STORED)
    throw new SpeechError('not-configured', say('fleet-password', { field: changed }));
  const server = redisOf(RED, withoutVariables(typed, ADDRESS), typed);
  const key = remoteOf(typed)?.key;
  const isKeyless = key === 'none' || (key === 'optional' && !typed['apiKey']);
  if (typedKey(typed) === '' && !isKeyless) return deployedTest(RED, account)(signal, server);
  const { testRedis } = fleetPackage(RED);
  return testRedis({ ...server, account: fleetAccountOf(typed, typedKey(typed)) }, signal);
}

/** Returns the test of the deployed account, which has the stored key. @throws SpeechError `not-configured` */
function deployedTest(RED: NodeAPI, account: string | undefined) {
  const { testRedis } = accountOf(RED, account);
  if (testRedis !== undefined) return testRedis;
  throw asSpeechError(new Error('the account cannot test Redis'));
}

/** Returns the first field whose typed value is not deployed; undefined if all are. */
function changedField(RED: NodeAPI, account: string | undefined, typed: TypedAccount): string | undefined {
  const saved = savedAccount(RED, account);
  if (saved === undefined) return 'fleetUrl';
  const stored: unknown = account === undefined ? undefined : RED.nodes.getCredentials(account);
  const credentials = new Map<string, unknown>(
    typeof stored === 'object' && stored !== null ? Object.entries(stored) : [],
  );
  return ADDRESS.find((name) => {
    const value = typed[name] ?? '';
    if (name === 'fleetPassword' && value === STORED) return false;
    const isCredential = name === 'fleetUser' || name === 'fleetPassword';
    return value !== (isCredential ? trimmedText(credentials.get(name)) : saved(name));
  });
}
