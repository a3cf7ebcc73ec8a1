import { z } from 'zod';
import { administer } from '../../../service/accounts/administer.js';
import type { Tier } from '../../../service/accounts/tiers.js';
import { startTestService, type TestService } from '../../support/service/service.js';

export const hello = { text: 'Hello there. How are you today?', language: 'en' };

const created = z.object({ result: z.object({ key: z.object({ key: z.string() }) }) });

/** Starts a service for a suite, and opens metered accounts for each test. `keys` has a key of each account. */
export function useMeteredService() {
  const keys = { pro: '', poor: '', free: '', starter: '' };
  let current: TestService;
  let round = 0;
  const data = () => current.data;
  const nameOf = (account: keyof typeof keys) => `${account}-${round}`;
  const open = async (account: keyof typeof keys, tier: Tier, credits?: number) => {
    const command = { command: 'accounts create', name: nameOf(account), tier, credits };
    keys[account] = created.parse(await administer(data(), command)).result.key.key;
  };
  before(async () => {
    current = await startTestService({ speech: { size: 2 } });
  });
  beforeEach(async () => {
    round += 1;
    await open('pro', 'pro', 100);
    await open('poor', 'pro', 3);
    await open('free', 'free', 100);
    await open('starter', 'starter');
  });
  after(() => current.close());

  /** Runs `work` while the service is stopped, and starts it again on the same data folder. */
  const whileStopped = async <Result>(work: (folder: string) => Promise<Result>): Promise<Result> => {
    const { stop, close } = current;
    await stop();
    const result = await work(data());
    const again = await startTestService({ speech: { size: 2 }, data: data() });
    current = { ...again, close: async () => (await again.close(), close()) };
    return result;
  };
  const send = async (key: string, method: string, where: string, body?: object) =>
    current.send(method, where, body, { 'x-sup-api-key': key });
  const speak = async (key: string, body: object = {}, voice = 'slt') =>
    send(key, 'POST', `/v1/text-to-speech/${voice}`, { ...hello, ...body });
  return { keys, nameOf, service: () => current, whileStopped, send, speak };
}
