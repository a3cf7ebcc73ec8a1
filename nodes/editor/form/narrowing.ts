/** What a voice leaves to choose from: languages, styles and models that it has a sample of. */
import { languageName, offer } from './offers.js';
import { literalOf, onEdit, type Rows } from './rows.js';
import { noteBelow } from './problems.js';
import { type Combination, impossiblePart, offersOf, type Voice } from '../voices/voice.js';

const PARTS = ['language', 'style', 'model'] as const;

const LACKS = {
  language: 'picker.lacks.language',
  style: 'picker.lacks.style',
  model: 'picker.lacks.model',
};

/** What the form says of language, style and model itself. */
export function chosenIn(rows: Rows): Readonly<Partial<Combination>> {
  return Object.fromEntries(PARTS.map((part) => [part, literalOf(rows, part)]));
}

/** What is offered where no voice says otherwise. */
export interface Usual {
  languages: readonly string[];
  models: readonly string[];
}

/**
 * Offers lists for language, style and model, and says what the voice can't be spoken with.
 * @returns tells it the voice, undefined where none is known
 */
export function narrow(rows: Rows, usual: Usual, node: EditorNode): (voice: Voice | undefined) => void {
  const parts = PARTS.flatMap((part) =>
    rows.filter(({ field }) => field === part).map((row) => ({ part, row })),
  );
  const notes = new Map(parts.map(({ part, row }) => [part, noteBelow(row, 'lacks')]));
  let voice: Voice | undefined;
  const refresh = () => {
    const chosen = chosenIn(rows);
    const wrong = voice && impossiblePart(voice, chosen);
    for (const { part, row } of parts) {
      const without = { language: usual.languages, style: [], model: usual.models }[part];
      const values = voice === undefined ? without : offersOf(voice, part, chosen);
      offer(row, values, part === 'language' ? languageName : String);
      const words = { name: voice?.name ?? '', value: chosen[part] ?? '' };
      const note = notes.get(part);
      if (note) note.textContent = part === wrong ? node._(LACKS[part], words) : '';
    }
  };
  for (const { row } of parts) onEdit(row, refresh);
  refresh();
  return (known) => {
    voice = known;
    refresh();
  };
}
