/** Marks values that have no effect with the selected service or model. */
import { serviceFacts } from '../lib/services.js';
import { accountField, accountInDialog } from './account-field.js';
import { ignores, type Models } from './models.js';
import { noteBelow } from './problems.js';
import { isLiteral, literalOf, onEdit, type Rows } from './rows.js';
import { parseSettings } from './rules/settings.js';

/** Fields whose values can be without effect. The labels of voice settings are in `settings`. */
const FIELDS: readonly string[] = ['voice_settings', 'style', 'model', 'normalized_text', 'include_phonemes'];

/**
 * Returns a function that returns the localized reason if a voice setting, or another field, has no effect or fails. Without a
 * model in the form, the default model counts. A model that a message sets may support everything.
 */
export function reasonsIn(rows: Rows, node: EditorNode): (field: string) => string | undefined {
  const { models = {}, localSettings = [] } = node._def;
  const modelRow = rows.find(({ field }) => field === 'model');
  const isKnown = modelRow === undefined || isLiteral(modelRow);
  const account = accountInDialog(node)?.typed ?? {};
  const language = literalOf(rows, 'language') || (account['language'] ?? '');
  const model = literalOf(rows, 'model') || defaultModel(models, language);
  const { isRemote, follows } = serviceFacts(account['service']);
  return (field) => {
    if (!follows(field) && !follows(`voice_settings.${field}`)) return node._('settings.lacking-service');
    if (['style', 'model', 'include_phonemes'].includes(field)) return undefined;
    if (!isRemote && field !== 'normalized_text' && !localSettings.includes(field))
      return node._('settings.lacking-local');
    return isKnown && ignores(models, model, field) ? node._('settings.lacking', { model }) : undefined;
  };
}

/** Returns the default model of a language: the first model of the table that speaks it. */
function defaultModel(models: Models, language: string): string {
  const names = Object.keys(models);
  return names.find((name) => models[name]?.languages.includes(language)) ?? names[0] ?? '';
}

/** Shows a note below each row with a value that has no effect, such as a voice setting that the model ignores. */
export function showNoEffect(rows: Rows, node: EditorNode): void {
  for (const row of rows.filter(({ field }) => FIELDS.includes(field))) {
    const note = noteBelow(row, 'no-effect');
    note.classList.remove('herald-problem');
    const show = () => {
      const reasonFor = reasonsIn(rows, node);
      const lines = namesIn(rows, row.field).flatMap((name) => {
        const reason = reasonFor(name);
        return reason === undefined ? [] : [`${labelOf(name, node)}: ${reason}.`];
      });
      note.textContent = lines.join(' ');
    };
    for (const other of rows)
      if (other === row || ['model', 'language'].includes(other.field)) onEdit(other, show);
    const account = accountField();
    if (account !== undefined) $(account).on('change', show);
    show();
  }
}

/** Returns the names of the typed voice settings, or the field itself if it has a typed value. */
function namesIn(rows: Rows, field: string): string[] {
  const value = literalOf(rows, field);
  if (field === 'voice_settings') return Object.keys(parseSettings(value) ?? {});
  return ['', 'false'].includes(value) ? [] : [field];
}

const labelOf = (name: string, node: EditorNode): string =>
  node._(FIELDS.includes(name) ? `fields.${name}.label` : `settings.${name}`);
