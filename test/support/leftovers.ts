import assert from 'node:assert/strict';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

/** A busy machine may take seconds to close a socket. */
const GRACE_MS = 10_000;

/**
 * Opens the standard streams. Node.js opens them when a program first reads them, and never closes them: each is a resource if it is a
 * pipe. Any module that a test loads can read them, for example the first import of `node:process` by an ES module.
 */
for (const name of ['stdin', 'stdout', 'stderr'] as const) void process[name];

/** Returns the kinds of resources that keep the process alive now and did not `before`: sockets, servers, timers. */
function newSince(before: readonly string[]): string[] {
  const old = [...before];
  return process.getActiveResourcesInfo().filter((kind) => {
    const index = old.indexOf(kind);
    if (index >= 0) old.splice(index, 1);
    return index < 0;
  });
}

/** Runs `work`, then fails unless every socket, server and timer that `work` opened is closed within the grace time. */
export async function leavingNothing<Result>(
  work: () => Promise<Result>,
  graceMs = GRACE_MS,
): Promise<Result> {
  // Mocha starts the timer of a test after the test has returned its promise.
  await nextTurn();
  const before = process.getActiveResourcesInfo();
  const result = await work();
  const deadline = performance.now() + graceMs;
  while (newSince(before).length > 0 && performance.now() < deadline) await sleep(5);
  assert.deepEqual(newSince(before), [], 'some resources are still open');
  return result;
}
