import { type MakeRow, makeWith } from './make-row.js';
import type { PromptTask } from './prompt-task.js';

/** Returns the function that makes the rows of a run, and the number of rows to make at a time. */
export function makerOf({ RED, account, priority, request }: PromptTask): {
  make: MakeRow;
  parallel: number;
} {
  return { make: makeWith(RED, account, priority), parallel: request.parallel };
}
