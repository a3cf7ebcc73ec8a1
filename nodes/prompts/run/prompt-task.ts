import type { AccountTask } from '../../lib/define-node.js';
import type { PromptRequest } from './fields.js';

/** The work of the prompts node on one message. */
export type PromptTask = AccountTask<PromptRequest>;

/** The table of a message. */
export interface Input {
  /** An array of objects, CSV as a string, or CSV as a Buffer. */
  rows: unknown;
  /** Whether the message has only some rows of the set, such as failed rows that were sent back in. */
  isPartial: boolean;
}
