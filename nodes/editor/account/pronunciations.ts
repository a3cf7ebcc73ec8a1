/** The table of the account's pronunciations. */
import { element } from '@herald-speech/browser';
import { keepState, markInvalid, writeSummary } from '../form/folds.js';
import { button, icon, showStatus } from '../lib/dom.js';
import { callRuntime, errorText } from '../lib/runtime.js';
import { toggleSound } from '../lib/sound.js';
import { accountAsTyped } from './account-test.js';
import { field, foldOf } from './fields.js';
import {
  entryOf,
  type Pronunciation,
  pronunciationProblem,
  pronunciationsIn,
} from './pronunciation-values.js';

/** The columns that have a title. The columns of the buttons have none. */
const COLUMNS = {
  word: 'pronunciations.word',
  replacement: 'pronunciations.replacement',
  language: 'pronunciations.language',
  case: 'pronunciations.case',
} as const;

/** The short title of the column with check boxes. A legend below the table explains it. */
const CASE_TITLE = 'Aa';

/** Fills the fold with a table of the saved entries. */
export function preparePronunciations(node: EditorNode): void {
  const fold = foldOf('pronunciations');
  const place = fold.querySelector<HTMLElement>('.herald-table');
  if (place === null) return;
  const figures = field('figuresAsWords', HTMLInputElement);
  const service = field('service', HTMLSelectElement);
  const body = element('tbody');
  const table = element('table', {}, headOf(node), body);
  const legend = element('p', { className: 'herald-note' }, `${CASE_TITLE}: ${node._(COLUMNS.case)}`);
  const add = button({}, icon('plus'), ` ${node._('pronunciations.add')}`);
  const note = element('p', { className: 'herald-note', role: 'status' });
  place.replaceChildren(table, legend, add, note);
  const update = () => {
    table.hidden = body.rows.length === 0;
    legend.hidden = table.hidden;
    const writesFigures = figures.checked && service.value !== 'local';
    writeSummary(fold, [...(writesFigures ? [node._('figuresAsWords.label')] : []), ...wordsIn(body)]);
    const problem = pronunciationProblem(pronunciationsInDialog(), node);
    showStatus(note, problem ?? '', problem !== undefined);
    markInvalid(fold, problem !== undefined, node);
    if (problem !== undefined) fold.open = true;
  };
  const addRow = (entry: Pronunciation) => body.append(rowOf(entry, { node, note, update, add }));
  for (const entry of pronunciationsIn(node['pronunciations'])) addRow(entry);
  add.addEventListener('click', () => {
    addRow({ word: '', replacement: '' });
    update();
    body.lastElementChild?.querySelector('input')?.focus();
  });
  body.addEventListener('input', update);
  for (const input of [figures, service]) input.addEventListener('change', update);
  body.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return;
    event.preventDefault();
    add.click();
  });
  keepState(fold, node);
  update();
}

function headOf(node: EditorNode): HTMLElement {
  const titles = Object.entries(COLUMNS).map(([column, key]) => {
    const title = node._(key);
    const [className, text] = [`herald-${column}`, column === 'case' ? CASE_TITLE : title];
    return element('th', { scope: 'col', className, title, ariaLabel: title }, text);
  });
  const buttons = ['play', 'remove'].map((column) => element('td', { className: `herald-${column}` }));
  return element('thead', {}, element('tr', {}, ...titles, ...buttons));
}

/** Returns the entries of the open dialog without blank rows. */
export function pronunciationsInDialog(): Pronunciation[] {
  const rows = foldOf('pronunciations').querySelectorAll<HTMLTableRowElement>('tbody > tr');
  return [...rows].map(readRow).filter(({ word, replacement }) => word !== '' || replacement !== '');
}

function readRow(row: HTMLTableRowElement): Pronunciation {
  const [word, replacement, language, matchCase] = row.querySelectorAll('input');
  const text = (input: HTMLInputElement | undefined) => input?.value.trim() ?? '';
  return entryOf(text(word), text(replacement), text(language), matchCase?.checked ?? false);
}

const wordsIn = (body: HTMLTableSectionElement): string[] =>
  [...body.rows].map((row) => readRow(row).word).filter(Boolean);

interface Table {
  node: EditorNode;
  note: HTMLElement;
  add: HTMLButtonElement;
  /** Called after a change of the rows. */
  update(): void;
}

function rowOf(
  { word, replacement, language = '', matchCase = false }: Pronunciation,
  table: Table,
): HTMLElement {
  const { node } = table;
  const cell = (...content: Node[]) => element('td', {}, ...content);
  const text = (column: keyof typeof COLUMNS, value: string) =>
    element('input', { type: 'text', value, maxLength: 200, ariaLabel: node._(COLUMNS[column]) });
  const code = text('language', language);
  code.setAttribute('list', 'herald-languages');
  const exact = element('input', {
    type: 'checkbox',
    checked: matchCase,
    ariaLabel: node._('pronunciations.case'),
  });
  const play = button({ title: node._('pronunciations.play') }, icon('play'));
  const remove = button({ title: node._('pronunciations.remove') }, icon('times'));
  const row = element(
    'tr',
    {},
    cell(text('word', word)),
    cell(text('replacement', replacement)),
    cell(code),
    cell(exact),
    cell(play),
    cell(remove),
  );
  play.addEventListener('click', () => void speak(readRow(row), play, table));
  remove.addEventListener('click', () => {
    const next = row.nextElementSibling?.querySelector<HTMLElement>('td:last-child > button');
    row.remove();
    (next ?? table.add).focus();
    table.update();
  });
  return row;
}

/** Speaks the replacement, or the word without one, with the values in the dialog. */
async function speak(
  { word, replacement, language }: Pronunciation,
  pressed: HTMLButtonElement,
  { node, note }: Table,
): Promise<void> {
  const text = replacement || word;
  if (text === '') return showStatus(note, node._('pronunciations.missing'), true);
  const request = { text, ...(language !== undefined && { language }) };
  try {
    await toggleSound(pressed, () => callRuntime('speak', { ...accountAsTyped(node), request }));
  } catch (error) {
    showStatus(note, errorText(error, node), true);
  }
}
