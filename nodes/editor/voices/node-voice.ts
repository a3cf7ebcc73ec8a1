/** The voice of a node: its picker, and the values that the voice supports. */
import { naturalList, type Voice } from '@herald-speech/browser';
import { accountField, accountInDialog } from '../form/account-field.js';
import { languagesOf } from '../form/models.js';
import { chosenIn, fitLanguage, narrow } from '../form/languages/narrowing.js';
import { formRowOf, isLiteral, onEdit, type Rows, widgetOf } from '../form/rows.js';
import { callRuntime } from '../lib/runtime.js';
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
  const { models = {} } = node._def;
  const defaults = { languages: languagesOf(models), models: Object.keys(models) };
  const narrowTo = narrow(rows, defaults, node);
  // A blank field is not looked up if the account's default does not apply.
  const blank = row.input.dataset['required'] === undefined ? '' : undefined;
  let latest: Voice | undefined;
  const addLanguages = installedLanguages(defaults.languages, node, () => narrowTo(latest));
  const refresh = prepareVoiceField({
    node,
    row: formRowOf(row.input),
    library: row.input.dataset['voices'] ?? 'all',
    target: () => accountInDialog(node),
    read: () => (isLiteral(row) ? row.input.value.trim() || blank : undefined),
    write(voice) {
      widgetOf(row.input).typedInput('type', 'str');
      $(row.input).typedInput('value', voice.voice_id);
      fitLanguage(rows, voice, accountInDialog(node)?.typed['language'] ?? '');
    },
    chosen: () => chosenIn(rows),
    onVoice(voice) {
      latest = voice;
      narrowTo(voice);
      showVoice(voice);
      void addLanguages();
    },
  });
  for (const each of rows) if (each === row || each.field === 'language') onEdit(each, refresh);
  const account = accountField();
  if (account !== undefined) $(account).on('change', refresh);
}

/**
 * Returns a function that adds the languages of the account's installed natural voices to a list, once for each account. They may
 * be others than those of the interface.
 */
function installedLanguages(languages: string[], node: EditorNode, changed: () => void): () => Promise<void> {
  let asked: string | undefined;
  return async () => {
    const target = accountInDialog(node);
    if (target?.typed['service'] !== 'local' || asked === target.account) return;
    asked = target.account;
    const list = await callRuntime('natural-voices', target).then(naturalList, () => undefined);
    const installed = list?.voices.filter((voice) => voice.installed !== undefined) ?? [];
    const further = new Set(
      installed.map(({ language }) => language).filter((code) => !languages.includes(code)),
    );
    languages.push(...further);
    if (further.size > 0) changed();
  };
}
