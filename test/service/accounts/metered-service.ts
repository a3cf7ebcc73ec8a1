import {
  startTestService,
  type TestService,
  openAccount,
  withLedger,
} from '../../support/service/service.js';
import { useDataFolder } from '../store/support.js';

export const hello = { text: 'Hello there. How are you today?', language: 'en' };

/** Starts a service with metered accounts for each test of a suite. `keys` has a key of each account. */
export function useMeteredService() {
  const data = useDataFolder();
  const keys = { pro: '', poor: '', free: '', starter: '' };
  let current: TestService;
  beforeEach(async () => {
    await withLedger(data.folder(), (ledger) => {
      keys.pro = openAccount(ledger, 'pro', 'pro', 100);
      keys.poor = openAccount(ledger, 'poor', 'pro', 3);
      keys.free = openAccount(ledger, 'free', 'free', 100);
      keys.starter = openAccount(ledger, 'starter', 'starter');
    });
    await start();
  });
  afterEach(async () => current.close());

  const start = async () => {
    current = await startTestService({ data: data.folder(), speech: { size: 2 } });
  };
  const send = async (key: string, method: string, where: string, body?: object) =>
    current.send(method, where, body, { 'x-sup-api-key': key });
  const speak = async (key: string, body: object = {}, voice = 'slt') =>
    send(key, 'POST', `/v1/text-to-speech/${voice}`, { ...hello, ...body });
  return { data, keys, service: () => current, start, send, speak };
}
