import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

/** How long what was closed may take to be gone. */
const GRACE_MS = 2000;

/** What keeps this process alive now and did not `before`: sockets, servers, timers, by kind. */
function newSince(before: readonly string[]): string[] {
  const old = [...before];
  return process.getActiveResourcesInfo().filter((kind) => {
    const index = old.indexOf(kind);
    if (index >= 0) old.splice(index, 1);
    return index < 0;
  });
}

/** Runs `work`, then fails unless every socket and timer that it made is gone. */
export async function leavingNothing<Result>(work: () => Promise<Result>): Promise<Result> {
  const before = process.getActiveResourcesInfo();
  const result = await work();
  const deadline = performance.now() + GRACE_MS;
  while (newSince(before).length > 0 && performance.now() < deadline) await sleep(5);
  assert.deepEqual(newSince(before), [], 'something is left running');
  return result;
}
