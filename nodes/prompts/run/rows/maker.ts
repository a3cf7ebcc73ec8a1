import { asSpeechError } from '@herald-speech/client';
import type { Fleet } from '@herald-speech/fleet';
import type { NodeAPI } from 'node-red';
import { signedFile } from '../../../lib/mark.js';
import { MAX_PARALLEL } from '../fields.js';
import { type MakeRow, makeWith } from './make-row.js';
import { servePrompts } from './perform.js';
import type { PromptTask } from '../prompt-task.js';
import { madeRow } from './task.js';

/** Members of a fleet that a spread run keeps busy with as many rows as the node makes at a time. */
const SPREAD_MEMBERS = 4;

/** The way in which a run makes its rows. */
export interface Maker {
  make: MakeRow;
  /** Rows that are made at a time. */
  parallel: number;
  /** Ends the help of other members. */
  close(): void;
}

/** Returns the maker of a run: this node, or all members of the fleet if the node spreads its work. */
export function makerOf({ RED, account, priority, request, signal }: PromptTask): Maker {
  const make = makeWith(account, priority);
  const { parallel, spread } = request;
  const fleet = spread ? account.fleet?.() : undefined;
  if (fleet === undefined) return { make: signedWith(RED, make), parallel, close: () => undefined };
  const closing = new AbortController();
  // This member also works: otherwise no member might.
  const ends = AbortSignal.any([signal, closing.signal]);
  servePrompts(account, fleet, ends);
  return {
    make: signedWith(RED, spreadOver(fleet, atMost(parallel, make))),
    parallel: Math.max(MAX_PARALLEL, SPREAD_MEMBERS * parallel),
    close: () => closing.abort(),
  };
}

/** Returns a function that signs the mark of each file here: other members of the fleet have other keys. */
export const signedWith =
  (RED: NodeAPI, make: MakeRow): MakeRow =>
  async (...row) => {
    const made = await make(...row);
    return { ...made, data: await signedFile(RED, made.data) };
  };

/** Returns a function that lets any member make a row. Without Redis, this member makes it. */
export function spreadOver({ work }: { work: Pick<Fleet['work'], 'submit'> }, local: MakeRow): MakeRow {
  const collected = new WeakSet<object>();
  return async (task, signal, onProgress) => {
    try {
      const done = await work.submit(task.hash, task, { signal });
      const made = { ...madeRow().parse(done.result), data: done.data };
      // Rows of the same text share one task, and its charge.
      if (collected.has(done)) return { ...made, charged: 0, cached: true };
      collected.add(done);
      return made;
    } catch (thrown) {
      signal.throwIfAborted();
      if (asSpeechError(thrown).code !== 'no-connection') throw thrown;
      return local(task, signal, onProgress);
    }
  };
}

/** Returns a function that makes at most `limit` rows at a time. Further rows wait in the order of their calls. */
function atMost(limit: number, make: MakeRow): MakeRow {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (task, signal, onProgress) => {
    if (running >= limit) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      signal.throwIfAborted();
      return await make(task, signal, onProgress);
    } finally {
      // The place goes to the next row.
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
