/** The voice of a node: its picker, and the values that the voice supports. */
import type { Voice } from '@herald-speech/browser';
import { accountField, accountInDialog } from '../form/account-field.js';
import { languagesOf, modelsIn } from '../form/models.js';
import { chosenIn, fitLanguage, narrow } from '../form/narrowing.js';
import { formRowOf, isLiteral, onEdit, type Rows } from '../form/rows.js';
import { prepareVoiceField } from './voice-field.js';

/**
 * Adds the voice picker to its row. The selected voice limits the offered languages, styles and models.
 * @param showVoice receives the voice after each lookup
 */
export function prepareVoices(
  rows: Rows,
  node: EditorNode,
  showVoice: (voice: Voice | undefined) => void,
): void {
  const row = rows.find(({ input }) => input.dataset['voices'] !== undefined);
  if (row === undefined) return;
  const models = modelsIn(node._def['models']);
  const narrowTo = narrow(rows, { languages: languagesOf(models), models: Object.keys(models) }, node);
  const refresh = prepareVoiceField({
    node,
    row: formRowOf(row.input),
    library: row.input.dataset['voices'] ?? 'all',
    target: () => accountInDialog(node),
    read: () => (isLiteral(row) ? row.input.value.trim() : undefined),
    write(voice) {
      $(row.input).typedInput('type', 'str');
      $(row.input).typedInput('value', voice.voice_id);
      fitLanguage(rows, voice, accountInDialog(node)?.typed['language'] ?? '');
    },
    chosen: () => chosenIn(rows),
    onVoice(voice) {
      narrowTo(voice);
      showVoice(voice);
    },
  });
  for (const each of rows) if (each === row || each.field === 'language') onEdit(each, refresh);
  const account = accountField();
  if (account !== undefined) $(account).on('change', refresh);
}
