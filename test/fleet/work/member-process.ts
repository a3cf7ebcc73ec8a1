/**
 * A member of the fleet in a process: `member-process.ts REDIS-URL SERVICE-URL CONCURRENCY COUNT`. It does tasks until SIGTERM. With
 * the concurrency 0 it submits COUNT tasks when it receives a message.
 */
import { join, manyTasks, patient, performAt } from './members.js';

const [, , redisUrl = '', serviceUrl = '', concurrency = '1', count = '0'] = process.argv;

async function main(): Promise<void> {
  const member = await join(redisUrl, patient);
  const { signal } = new AbortController();
  process.once('SIGTERM', () => void member.close().then(() => process.disconnect()));
  process.once('message', () => {
    for (const task of manyTasks(Number(count))) void member.submit(task.text, task, { signal });
  });
  if (concurrency !== '0') member.serve(performAt(serviceUrl), { concurrency: Number(concurrency), signal });
  process.send?.('ready');
}

void main();
