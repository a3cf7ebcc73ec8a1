/**
 * A member of the fleet of `fleet.bench.mjs`, in a separate process. Joins, sends `joined`, and sends the number of its requests
 * when all calls of the message `{ calls }` have ended.
 * Usage: forked with the arguments URL of Redis, URL of the service, requests per minute.
 */
import { once } from 'node:events';
import { createRequire } from 'node:module';
import process from 'node:process';

const require = createRequire(import.meta.url);
const { createClient, operations } = require('@herald-speech/client');
const { joinFleet } = require('@herald-speech/fleet');

const [redis = '', service = '', rate] = process.argv.slice(2);
const account = { url: service, apiKey: 'key-for-the-bench-of-32-letters-' };
const fleet = joinFleet({ url: redis, account });
const client = createClient({
  ...account,
  sharing: fleet.sharing,
  requestsPerMinute: Number(rate),
  attempts: 1,
  totalTimeout: 600_000,
});
await fleet.joined(AbortSignal.timeout(10_000));
process.send?.('joined');
const [{ calls }] = await once(process, 'message');
await Promise.all(Array.from({ length: calls }, () => client.call(operations.getCredits, {})));
await client.close();
await fleet.close();
process.disconnect();
