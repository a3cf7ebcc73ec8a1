/** Offers only languages, styles and models that the selected voice supports. */
import {
  type Combination,
  impossiblePart,
  languageFor,
  offersOf,
  type Voice,
  withoutRegion,
} from '@herald-speech/browser';
import { languageList, languageName } from '../../lib/languages.js';
import { offerLanguages, toName } from './language.js';
import { suggest } from './offers.js';
import { selectedAccount } from '../players.js';
import { noteBelow } from '../problems.js';
import { isLiteral, literalOf, onEdit, type Rows, widgetOf } from '../rows.js';
import { setConflict } from '../validate.js';

const PARTS = ['language', 'style', 'model'] as const;

const LACKS = {
  language: 'picker.lacks.language',
  style: 'picker.lacks.style',
  model: 'picker.lacks.model',
};

/** Returns the typed language, style and model of the form. */
export function chosenIn(rows: Rows): Readonly<Partial<Combination>> {
  return Object.fromEntries(PARTS.map((part) => [part, literalOf(rows, part)]));
}

/**
 * Sets the language field to a language of the chosen voice, unless the typed language fits or depends on the message.
 * @param preferred the account's language
 */
export function fitLanguage(rows: Rows, voice: Voice, preferred: string): void {
  const row = rows.find(({ field }) => field === 'language');
  if (row === undefined || !isLiteral(row) || voice.language.length === 0) return;
  const typed = literalOf(rows, 'language');
  const language = languageFor(voice, typed || preferred);
  if (language === typed) return;
  widgetOf(row.input).typedInput('type', 'str');
  $(row.input).typedInput('value', toName(language));
}

/** The offered values if the voice is unknown. The languages may become more. */
export interface Defaults {
  languages: readonly string[];
  models: readonly string[];
}

/**
 * Offers values for language, style and model, and marks the first value that the voice does not support.
 * @returns a function that sets the voice; undefined means an unknown voice
 */
export function narrow(rows: Rows, defaults: Defaults, node: EditorNode): (voice: Voice | undefined) => void {
  const parts = PARTS.flatMap((part) =>
    rows.filter(({ field }) => field === part).map((row) => ({ part, row, note: noteBelow(row, 'lacks') })),
  );
  let voice: Voice | undefined;
  const refresh = () => {
    const without = { language: defaults.languages, style: [], model: defaults.models };
    const chosen = chosenIn(rows);
    const read = (property: string) =>
      property === 'account' ? (selectedAccount()?.id ?? '') : literalOf(rows, property);
    const wrong = voice && impossiblePart(voice, chosen);
    for (const { part, row, note } of parts) {
      // Without a typed voice, the language chooses one.
      const isFree = part === 'language' && literalOf(rows, 'voice_id') === '';
      const values = voice === undefined || isFree ? without[part] : offersOf(voice, part, chosen);
      if (part === 'language') offerLanguages(row, values);
      else suggest(row, values);
      const value = chosen[part] ?? '';
      const details = {
        name: voice?.name ?? '',
        value,
        spoken: languageList(voice?.language ?? []),
        language: part === 'language' ? languageName(withoutRegion(value)) : '',
      };
      const text = part === wrong ? node._(LACKS[part], details) : '';
      // A message can replace the default voice, but not a typed one.
      const isTyped = literalOf(rows, 'voice_id') !== '';
      note.textContent = isTyped ? '' : text;
      if (setConflict(row, node, isTyped ? text : '', read)) $(row.input).trigger('keyup');
    }
  };
  for (const { row } of parts) onEdit(row, refresh);
  refresh();
  return (known) => {
    voice = known;
    refresh();
  };
}
