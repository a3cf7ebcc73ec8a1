import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { z } from '@herald-speech/client';
import { type NodeRed, startNodeRed } from '../support/node-red/node-red.js';
import { openAccount, startTestService, type TestService, withLedger } from '../support/service/service.js';
import { say, speakingFlows } from '../support/node-red/speaking-instance.js';

/** The accounts of the service: a tier and credits for each instance. */
const ACCOUNTS = {
  kitchen: { tier: 'pro', credits: 100 },
  garage: { tier: 'starter', credits: 100 },
  garden: { tier: 'pro', credits: 0 },
} as const;

type Name = keyof typeof ACCOUNTS;

/** Requests per minute of the tier `starter` (docs/service.md). */
const STARTER = 20;

describe('three Node-RED instances with one service on the network', () => {
  const data = mkdtempSync(path.join(os.tmpdir(), 'herald-shared-service-'));
  const keys = new Map<Name, string>();
  const instances = new Map<Name, NodeRed>();
  let service: TestService;

  before(async () => {
    await withLedger(data, (ledger) => {
      for (const name of names)
        keys.set(name, openAccount(ledger, name, ACCOUNTS[name].tier, ACCOUNTS[name].credits));
    });
    service = await startTestService({ data });
    const start = async (name: Name) => {
      const account = {
        url: service.url,
        requestsPerMinute: '10000',
        attempts: '1',
        credentials: { apiKey: keys.get(name) },
      };
      instances.set(name, await startNodeRed(speakingFlows(account)));
    };
    await Promise.all(names.map(start));
  });
  after(async () => {
    await Promise.all([...instances.values()].map((instance) => instance.stop()));
    await service?.close();
    rmSync(data, { recursive: true, force: true });
  });

  const speak = async (name: Name, text: string) => {
    const instance = instances.get(name);
    assert(instance !== undefined);
    return say(instance, text);
  };

  it('speak at the same time, each on the credits of its key', async () => {
    const replies = await Promise.all([
      speak('kitchen', 'The kettle boils.'),
      speak('garage', 'The door is open.'),
    ]);
    for (const { speech } of replies) assert.ok(speech);
    for (const name of ['kitchen', 'garage'] as const) {
      const balance = await balanceOf(service, keys.get(name));
      assert.ok(balance > 90 && balance < 100, `${name} has ${balance}`);
    }
  });

  it('fail for lack of credits without an effect on the others', async () => {
    assert.equal((await speak('garden', 'Rain.')).error?.code, 'out-of-credits');
    assert.ok((await speak('kitchen', 'Dinner.')).speech);
  });

  it('fail above the limit of their key without an effect on the others', async () => {
    const replies = await Promise.all(
      Array.from({ length: STARTER + 5 }, (_, index) => speak('garage', `Car ${index}.`)),
    );
    const codes = replies.flatMap(({ error }) => (error ? [error.code] : []));
    assert.ok(codes.length > 0 && codes.every((code) => code === 'rate-limited'), codes.join());
    assert.ok((await speak('kitchen', 'Dinner again.')).speech);
  });

  it('still speak after another program has sent a wrong key', async () => {
    const wrong = await fetch(`${service.url}/v1/credits`, { headers: { 'x-sup-api-key': 'wrong' } });
    assert.equal(wrong.status, 401);
    assert.ok((await speak('kitchen', 'Still there.')).speech);
  });
});

const names: readonly Name[] = ['kitchen', 'garage', 'garden'];

async function balanceOf(service: TestService, key = ''): Promise<number> {
  const reply = await fetch(`${service.url}/v1/credits`, { headers: { 'x-sup-api-key': key } });
  return z.object({ balance: z.number() }).parse(await reply.json()).balance;
}
