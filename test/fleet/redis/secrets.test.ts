import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { inspect } from 'node:util';
import { limiterDefaults } from '../../../client/calls/limiter.js';
import { createFleet } from '../../../fleet/fleet.js';
import { testRedis } from '../../../fleet/index.js';
import { describeWith } from '../../support/programs/describe-with.js';
import { close, listen } from '../../support/net/fault-server.js';
import { PATIENT_MS, withRedis } from '../../support/programs/redis.js';
import { rejection } from '../../support/rejection.js';
import { until } from '../../support/waiting.js';

const PASSWORD = 'password-that-stays-secret';
const API_KEY = 'key-that-stays-secret';

const optionsOf = (url: string) => ({
  url,
  password: PASSWORD,
  account: { url: 'https://speech.example.com', apiKey: API_KEY },
});

/** Fails if one of the values shows a secret, however deep. */
function checkSecrets(values: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(values)) {
    const shown = inspect(value, { depth: Infinity, showHidden: true });
    for (const secret of [PASSWORD, API_KEY]) assert.ok(!shown.includes(secret), `${name} shows ${secret}`);
  }
}

describeWith(['redis-server'], 'the secrets of a fleet', () => {
  it('are in no object that a program may print', () =>
    withRedis(
      async ({ url }) => {
        const fleet = createFleet(optionsOf(url), { commandMs: PATIENT_MS });
        const signal = AbortSignal.timeout(20_000);
        await fleet.joined(signal);
        const limiter = fleet.sharing.limiter(limiterDefaults);
        fleet.work.serve(() => Promise.resolve({ result: 1, data: new Uint8Array() }), {
          concurrency: 1,
          signal,
        });
        try {
          await fleet.work.submit('task', {}, { signal }).catch(() => {});
          checkSecrets({ fleet, limiter, state: fleet.state });
        } finally {
          limiter.close();
          await fleet.close();
        }
      },
      { config: { requirepass: PASSWORD } },
    ));

  it('are in no error and no reason if Redis refuses the login', () =>
    withRedis(async ({ url }) => {
      const wrong = { ...optionsOf(url), username: 'stranger' };
      const fleet = createFleet(wrong);
      try {
        await until(() => fleet.state.reason?.key === 'redis-login');
        const test = await rejection(testRedis(wrong, AbortSignal.timeout(20_000)));
        const size = await rejection(Promise.resolve(fleet.sharing.speech?.size()));
        const work = await rejection(fleet.work.submit('task', {}, { signal: AbortSignal.timeout(20_000) }));
        checkSecrets({ test, size, work, state: fleet.state });
      } finally {
        await fleet.close();
      }
    }));

  it('are in no error and no reason if a server repeats the arguments of AUTH', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.on('data', () =>
        socket.write(`-ERR unknown command 'AUTH', with args beginning with: '${PASSWORD}' \r\n`),
      );
    });
    const url = `redis://127.0.0.1:${await listen(server)}`;
    const fleet = createFleet(optionsOf(url), { commandMs: PATIENT_MS });
    try {
      await until(() => fleet.state.reason?.key === 'redis-refused');
      const test = await rejection(testRedis(optionsOf(url), AbortSignal.timeout(20_000)));
      checkSecrets({ test, state: fleet.state });
    } finally {
      await fleet.close();
      await close(server);
    }
  });
});
