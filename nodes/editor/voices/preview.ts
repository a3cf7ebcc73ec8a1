/** The panel of a voice search: lists the voices that the filters in the dialog find. */
import {
  choicesOf,
  type Combination,
  element,
  type Facet,
  FACETS,
  type Voice,
  voicesIn,
} from '@herald-speech/browser';
import { accountInDialog } from '../form/account-field.js';
import { offerLanguages } from '../form/languages/language.js';
import { suggest } from '../form/languages/offers.js';
import { forgetProblem } from '../form/problems.js';
import { formRowOf, labelsOfDynamic, literalOf, type Row, type Rows } from '../form/rows.js';
import { button, icon, reveal, showStatus } from '../lib/dom.js';
import { callRuntime, errorText, type Target } from '../lib/runtime.js';
import { toggleSound } from '../lib/sound.js';
import { nameOf } from '../lib/languages.js';
import { countText, soundHint, voiceRows } from './voice-list.js';
import { soundOf } from './voice-sound.js';

/** Filter fields of each voice library. The build reads them from the interface. */
interface Filters {
  preset: readonly string[];
  own: readonly string[];
}

interface Panel {
  filters: Filters;
  note: HTMLElement;
  list: HTMLElement;
}

/** Fills the panel's element if the form has one. */
export function preparePreview(rows: Rows, node: EditorNode): void {
  const place = document.querySelector<HTMLElement>('.herald-preview');
  if (place === null) return;
  const { presetFilters = '', ownFilters = '' } = place.dataset;
  const filters = { preset: presetFilters.split(' '), own: ownFilters.split(' ') };
  const show = button({}, icon('search'), ` ${node._('preview.show')}`);
  const note = element('p', { className: 'herald-note', role: 'status' });
  const list = element('ul', {
    className: 'herald-voices',
    ariaLabel: node._('picker.voices'),
    hidden: true,
  });
  place.append(show, note, list);
  forgetProblem(note, rows);
  prepareFilterOffers(rows, node);
  show.addEventListener('click', () => void search(rows, node, { filters, note, list }));
}

async function search(rows: Rows, node: EditorNode, panel: Panel): Promise<void> {
  const { filters, note, list } = panel;
  const target = accountInDialog(node);
  if (target === undefined) return showStatus(note, node._('picker.no-account'), true);
  showStatus(note, node._('picker.looking'));
  try {
    const { voices, more } = voicesIn(await callRuntime('voices', { ...target, ...searchOf(rows, filters) }));
    const hints = [
      more ? node._('picker.part') : '',
      soundHint(voices, target, node),
      omittedText(rows, filters, node),
    ];
    showStatus(note, [countText(voices, node), ...hints].filter(Boolean).join(' '));
    showVoices(voices, target, node, panel);
    reveal(list);
  } catch (error) {
    list.hidden = true;
    showStatus(note, errorText(error, node), true);
    reveal(note);
  }
}

function showVoices(voices: readonly Voice[], target: Target, node: EditorNode, { note, list }: Panel): void {
  const play = (voice: Voice, sample: Combination, pressed: HTMLButtonElement) => {
    const load = () => soundOf(voice, sample, target);
    toggleSound(pressed, load).catch((error: unknown) => showStatus(note, errorText(error, node), true));
  };
  list.hidden = voices.length === 0;
  list.replaceChildren(
    ...voiceRows(voices, { node, target, selected: '', chosen: {}, choose: undefined, play }),
  );
}

/** Returns the selected library and its filters with fixed values, in the form of a request. */
function searchOf(rows: Rows, filters: Filters): { library: string; filters: object } {
  const library = literalOf(rows, 'library') || 'preset';
  const matchesAll = literalOf(rows, 'style_match') === 'all';
  const values = (library === 'own' ? filters.own : filters.preset).map((field): [string, string] => {
    const value = literalOf(rows, field);
    return [field, field === 'style' && matchesAll ? value.replaceAll(',', ';') : value];
  });
  return { library, filters: Object.fromEntries(values.filter(([, value]) => value !== '')) };
}

/** Returns a text that lists the filters whose value depends on the message, or ''. */
function omittedText(rows: Rows, { preset }: Filters, node: EditorNode): string {
  const fields = labelsOfDynamic(rows, preset, node);
  return fields === '' ? '' : node._('preview.left-out', { fields });
}

/** The filters, with the property of a voice that has their values. */
const PROPERTIES: Readonly<Record<string, Facet>> = {
  ...Object.fromEntries(FACETS.map((facet) => [facet, facet])),
  use_cases: 'use_case',
};

/** Loads the voices when the user first enters a filter, and again for another account. Without voices, offers nothing. */
function prepareFilterOffers(rows: Rows, node: EditorNode): void {
  const filters = rows.filter(({ field }) => field in PROPERTIES);
  let loaded = '';
  const load = async () => {
    const target = accountInDialog(node);
    const key = JSON.stringify(target);
    if (target === undefined || key === loaded) return;
    loaded = key;
    const { voices } = voicesIn(await callRuntime('voices', { ...target, library: 'preset' }));
    for (const row of filters) offerValues(row, voices);
  };
  for (const { input } of filters)
    formRowOf(input).addEventListener('focusin', () => void load().catch(() => (loaded = '')));
}

function offerValues(row: Row, voices: readonly Voice[]): void {
  const facet = PROPERTIES[row.field];
  if (facet === 'language') offerLanguages(row, choicesOf(voices, facet));
  else if (facet !== undefined) suggest(row, choicesOf(voices, facet), (value) => nameOf(facet, value));
}
