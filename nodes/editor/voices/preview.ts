/** What a search for voices would find with the filters as they are in the dialog. */
import { askRuntime, wordsOf } from '../ask.js';
import { button, element, icon } from '../dom.js';
import { isLiteral, literalOf, type Rows } from '../form/rows.js';
import { toggleSound } from '../playback/sound.js';
import { type Combination, type Voice, voicesIn } from './voice.js';
import { accountInDialog } from './voice-field.js';
import { countOf, voiceRows } from './voice-list.js';

const FILTERS = [
  'name',
  'description',
  'language',
  'gender',
  'age',
  'use_case',
  'use_cases',
  'style',
  'model',
];

/** Fills the place that the page has for it, where it has one. */
export function preparePreview(rows: Rows, node: EditorNode): void {
  const place = document.querySelector<HTMLElement>('.herald-preview');
  if (place === null) return;
  const show = button({}, icon('search'), ` ${node._('preview.show')}`);
  const note = element('p', { className: 'herald-note', role: 'status' });
  const list = element('ul', {
    className: 'herald-voices',
    ariaLabel: node._('picker.voices'),
    hidden: true,
  });
  place.append(show, note, list);
  show.addEventListener('click', () => void preview(rows, node, { note, list }));
}

interface Place {
  note: HTMLElement;
  list: HTMLElement;
}

async function preview(rows: Rows, node: EditorNode, { note, list }: Place): Promise<void> {
  const say = (words: string, isProblem = false) => {
    note.textContent = words;
    note.classList.toggle('herald-problem', isProblem);
  };
  const target = accountInDialog();
  if (target === undefined) return say(node._('picker.no-account'), true);
  const play = (voice: Voice, sample: Combination, pressed: HTMLButtonElement) => {
    const bring = () => askRuntime('sample', { ...target, voice_id: voice.voice_id, ...sample });
    toggleSound(pressed, bring).catch((failure: unknown) => say(wordsOf(failure, node), true));
  };
  say(node._('picker.looking'));
  try {
    const library = literalOf(rows, 'library') || 'preset';
    const filters = filtersIn(rows, library);
    const { voices, more } = voicesIn(await askRuntime('voices', { ...target, library, filters }));
    const count = countOf(voices, node);
    say([count, more ? node._('picker.part') : '', leftOut(rows, node)].filter(Boolean).join(' '));
    const options = { node, selected: '', chosen: {}, choose: undefined, play };
    list.hidden = voices.length === 0;
    list.replaceChildren(...voiceRows(voices, options));
  } catch (failure) {
    list.hidden = true;
    say(wordsOf(failure, node), true);
  }
}

/** The filters that the form says itself, as the search sends them: own voices go by name and description alone. */
function filtersIn(rows: Rows, library: string): object {
  const names = library === 'own' ? FILTERS.slice(0, 2) : FILTERS;
  const all = literalOf(rows, 'style_match') === 'all';
  const values = names.map((field): [string, string] => {
    const value = literalOf(rows, field);
    return [field, field === 'style' && all ? value.replaceAll(',', ';') : value];
  });
  return Object.fromEntries(values.filter(([, value]) => value !== ''));
}

/** Which filters are known only when a message comes. */
function leftOut(rows: Rows, node: EditorNode): string {
  const away = rows.filter((row) => FILTERS.includes(row.field) && !isLiteral(row));
  const fields = away.map(({ field }) => node._(`fields.${field}.label`)).join(', ');
  return fields === '' ? '' : node._('preview.left-out', { fields });
}
