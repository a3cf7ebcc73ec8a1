import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { loadTypescript } from '../../support/run-typescript.js';
import { spawned } from '../../support/spawned.js';

/** Places of all processes in a window. */
export const LIMIT = 30;
/** Milliseconds in which a service counts requests. Long beside the margin: a limiter with 1.7 times its rate must fail. */
export const PERIOD = 1200;
/** The margin of the window is as long as in the real fleet: a busy computer delays a place on its way to the process. */
export const WINDOW = PERIOD + 850;
/** Calls of each process that wait at a time. */
const CALLS = 40;

const CHILD = path.join(__dirname, 'child.ts');
const line = z.object({ joined: z.literal(true).optional(), at: z.number().optional() });

/** A process that takes all places that it gets. */
export interface MemberProcess {
  readonly process: ChildProcess;
  /** The times of its places in milliseconds since 1970. */
  readonly times: readonly number[];
  start(): void;
  /** Ends the process and checks that it ended by itself. */
  stop(): Promise<void>;
}

/** Starts a member in its own process. Resolves after the member has joined. */
async function startMember(url: string, commandMs: number): Promise<MemberProcess> {
  const args = [...loadTypescript, CHILD, url, `${LIMIT}`, `${WINDOW}`, `${commandMs}`, `${CALLS}`];
  const child = spawned(spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] }));
  const times: number[] = [];
  let hasJoined = () => {};
  const joined = new Promise<void>((resolve) => {
    hasJoined = resolve;
  });
  createInterface(child.stdout).on('line', (text) => {
    const { at } = line.parse(JSON.parse(text));
    if (at === undefined) hasJoined();
    else times.push(at);
  });
  const ended = once(child, 'exit');
  await Promise.race([joined, ended.then(([code]) => assert.fail(`the member ended with ${code}`))]);
  return {
    process: child,
    times,
    start: () => void child.stdin.write('go\n'),
    async stop() {
      child.stdin.end();
      const [code] = await ended;
      assert.equal(code, 0);
    },
  };
}

/** Starts three members, runs `work` with them, and kills those that still run. */
export async function withProcesses(
  url: string,
  commandMs: number,
  work: (members: readonly MemberProcess[]) => Promise<void>,
): Promise<void> {
  const members = await Promise.all([1, 2, 3].map(() => startMember(url, commandMs)));
  try {
    await work(members);
  } finally {
    for (const { process } of members) process.kill('SIGKILL');
  }
}

/** The times of all places. */
export const allTimes = (members: readonly MemberProcess[]): number[] =>
  members.flatMap(({ times }) => times);
