import assert from 'node:assert/strict';
import { z } from '@herald-speech/client';
import { hostedAccount, KEY, withFlow } from '../../../support/node-red/flow.js';
import { type Script, withServer } from '../../../support/net/scripted-server.js';
import { serving } from '../../../support/net/serve.js';

const states = z.object({
  accounts: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      service: z.string(),
      state: z.string(),
      balance: z.number().nullable().optional(),
      budget: z
        .looseObject({ limits: z.array(z.object({ per: z.string(), used: z.number(), limit: z.number() })) })
        .optional(),
      error: z.object({ code: z.string(), message: z.string() }).optional(),
    }),
  ),
});

/** Runs `work` with a deployed account of a scripted service, and a function that reads the states as the sidebar does. */
const deployed = (
  script: Script,
  properties: object,
  work: (read: () => Promise<z.output<typeof states>['accounts']>, requests: () => number) => Promise<void>,
  apiKey = KEY,
) =>
  withServer(script, (server) =>
    withFlow(
      [hostedAccount(server.url, { name: 'cloud', ...properties })],
      ({ RED }) =>
        serving(RED.httpAdmin, (origin) =>
          work(
            async () =>
              states.parse(await (await fetch(`${origin}/herald/activity/accounts`)).json()).accounts,
            () => server.requests.length,
          ),
        ),
      { credentials: { account: { apiKey } } },
    ),
  );

describe('the states of the accounts', () => {
  it('have the balance and the use of the budget, and ask the service once for all editors', () =>
    deployed(
      () => ({ body: { balance: 120 } }),
      { budgetPerDay: '600', budgetPerMonth: '9000' },
      async (read, requests) => {
        const expected = {
          id: 'account',
          name: 'cloud',
          service: 'hosted',
          state: 'reachable',
          balance: 120,
        };
        for (const _editor of [1, 2]) {
          const [one] = await read();
          const limits = [
            { per: 'day', used: 0, limit: 600 },
            { per: 'month', used: 0, limit: 9000 },
          ];
          assert.deepEqual(one, { ...expected, budget: { used: 0, unit: 'seconds', limits } });
        }
        assert.equal(requests(), 1);
      },
    ));

  it('have the error of an unreachable service, without the key', () =>
    deployed(
      () => ({ status: 401, body: { status: 'error', message: `unknown key ${KEY}` } }),
      {},
      async (read) => {
        const [one] = await read();
        assert.equal(one?.state, 'unreachable');
        assert.equal(one.error?.code, 'unauthorized');
        assert.ok(!JSON.stringify(one).includes(KEY));
      },
    ));

  it('call an account without a key not configured', () =>
    deployed(
      () => ({ body: { balance: 1 } }),
      {},
      async (read) => {
        const [one] = await read();
        assert.deepEqual([one?.state, one?.error?.code], ['not-configured', 'not-configured']);
      },
      '',
    ));

  it('do not start the local service', () =>
    withFlow([{ id: 'account', type: 'herald-account', service: 'local', name: 'house' }], ({ RED }) =>
      serving(RED.httpAdmin, async (origin) => {
        const reply = await fetch(`${origin}/herald/activity/accounts`);
        const { accounts } = states.parse(await reply.json());
        assert.deepEqual(accounts, [{ id: 'account', name: 'house', service: 'local', state: 'stopped' }]);
      }),
    ));
});
