import type { AccountTask } from '../../runtime/define-node.js';
import type { PromptRequest } from './fields.js';

/** The work of the prompts node on one message. */
export type PromptTask = AccountTask<PromptRequest>;
