/** Suggested values for the filters of a voice search: the values of the account's voices. */
import { choicesOf, type Facet, FACETS, type Voice, voicesIn } from '@herald-speech/browser';
import { accountInDialog } from '../form/account-field.js';
import { offer } from '../form/offers.js';
import { formRowOf, type Row, type Rows } from '../form/rows.js';
import { callRuntime } from '../lib/runtime.js';
import { valueName } from '../lib/voice-words.js';

/** The filters, with the property of a voice that has their values. */
const PROPERTIES: Readonly<Record<string, Facet>> = {
  ...Object.fromEntries(FACETS.map((facet) => [facet, facet])),
  use_cases: 'use_case',
};

/** Loads the voices when the user first enters a filter, and again for another account. Without voices, offers nothing. */
export function prepareFilterOffers(rows: Rows, node: EditorNode): void {
  const filters = rows.filter(({ field }) => field in PROPERTIES);
  let loaded = '';
  const load = async () => {
    const target = accountInDialog(node);
    const key = JSON.stringify(target);
    if (target === undefined || key === loaded) return;
    loaded = key;
    const { voices } = voicesIn(await callRuntime('voices', { ...target, library: 'preset' }));
    for (const row of filters) offerValues(row, voices, node);
  };
  for (const { input } of filters)
    formRowOf(input).addEventListener('focusin', () => void load().catch(() => (loaded = '')));
}

function offerValues(row: Row, voices: readonly Voice[], node: EditorNode): void {
  const facet = PROPERTIES[row.field];
  if (facet !== undefined) offer(row, choicesOf(voices, facet), (value) => valueName(facet, value, node));
}
