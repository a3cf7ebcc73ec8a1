/** "Try it": speaks a sample text with the values as they are in the dialog. */
import { accountField } from '../account/account-field.js';
import { askRuntime, type Reply, wordsOf } from '../ask.js';
import { button, element, icon } from '../dom.js';
import { isLiteral, literalOf, onEdit, type Rows } from '../form/rows.js';
import { parseSettings } from '../form/settings.js';
import { toggleSound } from './sound.js';
import { textOf } from '../text.js';
import { trialText } from './trial-texts.js';
import { accountInDialog } from '../voices/voice-field.js';

/** What a trial takes of the form. */
const FIELDS = ['voice_id', 'language', 'style', 'model', 'output_format', 'voice_settings'];
/** Characters of one request of the interface. */
const MAX_LENGTH = 300;

/** Fills the place that the page has for it, where it has one. */
export function prepareTrial(rows: Rows, node: EditorNode): void {
  const place = document.querySelector<HTMLElement>('.herald-try');
  if (place === null) return;
  const [id, noteId] = ['herald-try-text', 'herald-try-note'];
  const label = element('label', { htmlFor: id }, icon('headphones'), ` ${node._('try.label')}`);
  const input = element('input', { type: 'text', id, maxLength: MAX_LENGTH, dir: 'auto' });
  input.setAttribute('aria-describedby', noteId);
  suggestText(input, rows);
  const speak = button({ title: node._('try.speak') }, icon('play'));
  const note = element('p', { className: 'herald-note', role: 'status', id: noteId });
  place.classList.add('form-row', 'herald-with-button');
  place.append(label, input, speak, note);
  speak.addEventListener('click', () => void tryIt(rows, node, { text: input.value, speak, note }));
}

/** The node's own text, or a sentence in the language that it would be spoken in; until something else is typed. */
function suggestText(input: HTMLInputElement, rows: Rows): void {
  let isTyped = false;
  const suggest = () => {
    if (isTyped) return;
    const { text, language } = trialText(literalOf(rows, 'language') || accountLanguage());
    const own = literalOf(rows, 'text').slice(0, MAX_LENGTH);
    input.value = own || text;
    input.lang = own === '' ? language : '';
  };
  input.addEventListener('input', () => {
    isTyped = true;
    input.lang = '';
  });
  for (const row of rows) if (['text', 'language'].includes(row.field)) onEdit(row, suggest);
  const account = accountField();
  if (account !== undefined) $(account).on('change', suggest);
  suggest();
}

const accountLanguage = (): string => accountInDialog()?.typed['language'] ?? '';

interface Trial {
  text: string;
  speak: HTMLButtonElement;
  note: HTMLElement;
}

async function tryIt(rows: Rows, node: EditorNode, { text, speak, note }: Trial): Promise<void> {
  const say = (words: string, isProblem = false) => {
    note.textContent = words;
    note.classList.toggle('herald-problem', isProblem);
  };
  const target = accountInDialog();
  if (target === undefined) return say(node._('picker.no-account'), true);
  const isFree = target.typed['service'] !== 'hosted';
  try {
    await toggleSound(speak, async () => {
      say(node._('try.asking'));
      const spoken = await askRuntime('speak', { ...target, request: requestOf(rows, text) });
      say([resultIn(spoken, isFree, node), leftOut(rows, node)].filter(Boolean).join(' '));
      return spoken;
    });
  } catch (failure) {
    say(wordsOf(failure, node), true);
  }
}

/** The fields that the form itself says; the rest is the account's. */
function requestOf(rows: Rows, text: string): object {
  const values = FIELDS.map((field): [string, unknown] => {
    const value = literalOf(rows, field);
    return [field, field === 'voice_settings' && value !== '' ? parseSettings(value) : value];
  });
  return { ...Object.fromEntries(values.filter(([, value]) => value !== '')), text };
}

function resultIn(spoken: Reply, isFree: boolean, node: EditorNode): string {
  const seconds = Number(spoken.get('duration')).toFixed(1);
  if (isFree) return node._('try.free', { seconds });
  const charged = textOf(spoken.get('chargedSeconds'));
  if (charged === '') return node._('try.unknown', { seconds });
  return node._('try.charged', { seconds, charged: Number(charged).toFixed(1) });
}

/** Which fields are known only when a message comes. */
function leftOut(rows: Rows, node: EditorNode): string {
  const away = rows.filter((row) => FIELDS.includes(row.field) && !isLiteral(row));
  const fields = away.map(({ field }) => node._(`fields.${field}.label`)).join(', ');
  return fields === '' ? '' : node._('try.left-out', { fields });
}
