/** Plays a row of the table preview: its file if the folder has it, otherwise its text, spoken like in "Try it". */
import { truncated, type Fields } from '@herald-speech/browser';
import { accountInDialog } from '../form/account-field.js';
import { literalOf, type Rows } from '../form/rows.js';
import { callRuntime, errorText } from '../lib/runtime.js';
import { serviceFacts } from '../lib/services.js';
import { toggleSound } from '../lib/sound.js';
import { requestOf } from '../trial/trial-request.js';
import { resultText } from '../trial/try-it.js';
import { hasFile } from './plan-row.js';
import type { PlanRow } from './plan.js';

export interface PlayRowOptions {
  rows: Rows;
  node: EditorNode;
  /** Maximum number of UTF-16 code units of a text that "Try it" speaks. */
  maxLength: number;
  show(text: string, isProblem?: boolean): void;
}

export async function playRow(
  row: PlanRow,
  pressed: HTMLButtonElement,
  { rows, node, maxLength, show }: PlayRowOptions,
): Promise<void> {
  const { filename } = row;
  const load = hasFile(row)
    ? () => callRuntime('prompts/audio', { folder: literalOf(rows, 'folder'), filename })
    : () => speak(row, { rows, node, maxLength, show });
  try {
    await toggleSound(pressed, load);
  } catch (error) {
    show(errorText(error, node), true);
  }
}

async function speak(
  { text, request }: PlanRow,
  { rows, node, maxLength, show }: PlayRowOptions,
): Promise<Fields> {
  const target = accountInDialog(node);
  if (target === undefined) throw new Error(node._('picker.no-account'));
  show(node._('try.asking'));
  const spoken = truncated(text, maxLength);
  const reply = await callRuntime('speak', {
    ...target,
    request: { ...requestOf(rows, spoken), ...request, text: spoken },
  });
  const { isFree } = serviceFacts(target.typed['service']);
  const cut = spoken === text ? '' : node._('prompts.cut', { max: maxLength });
  show([resultText(reply, isFree, node), cut].filter(Boolean).join(' '));
  return reply;
}
