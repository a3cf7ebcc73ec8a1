/** The field of a language: shows names in the language of the editor, and has their codes as its value. */
import { element, languageCodes } from '@herald-speech/browser';
import { languageName } from '../../lib/languages.js';
import { suggest } from './offers.js';
import { rowPanel } from '../panels/row-panel.js';
import { formRowOf, type Row, visibleOf } from '../rows.js';

/** The lower-case names of the languages in the editor's language, in English and in themselves, with their codes. */
const codesByName = new Map<string, string>();

/** The entries of a list, without the white space around them. */
const ENTRIES = /[^,;\s](?:[^,;]*[^,;\s])?/g;

/** Whether the row has a language. The build lists the languages of all models. */
export const hasLanguages = ({ input }: Row): boolean => input.dataset['languages'] !== undefined;

/** Returns the codes of the languages that the row offers without a voice. */
export const languagesIn = ({ input }: Row): string[] => (input.dataset['languages'] ?? '').split(' ');

const CODE = /^[a-z]{2}$/;

/** Returns a text with the names of languages in place of their codes. A filter can have several. */
export const toName = (text: string): string =>
  text.replace(ENTRIES, (code) => (CODE.test(code) ? languageName(code) : code));

/** Returns a text with codes in place of the names of languages, such as `de` for `german` or `Deutsch`. */
export const toCode = (text: string): string =>
  text.replace(ENTRIES, (name) => (CODE.test(name) ? name : (codeOf(name) ?? name)));

/** Returns the code of a language by its name in the editor's language, in English or in itself. */
export function codeOf(name: string): string | undefined {
  if (codesByName.size === 0)
    for (const code of languageCodes())
      for (const one of namesOf(code)) codesByName.set(one.toLowerCase(), code);
  return codesByName.get(name.trim().toLowerCase());
}

/** Returns the names of a language in the language of the editor, in English and in itself. */
export const namesOf = (code: string): string[] => [
  ...new Set([languageName(code), languageName(code, 'en'), languageName(code, code)]),
];

/** Suggests languages, each with its other names and its code: the browser finds an entry by all of them. */
export function offerLanguages(row: Row, codes: readonly string[]): void {
  const offered = new Map(codes.map((code) => [toName(code), [...namesOf(code), code].join(' · ')]));
  const names = [...offered.keys()].sort((one, other) => one.localeCompare(other, RED.i18n.lang()));
  suggest(row, names, (name) => offered.get(name) ?? name);
}

/** Returns the panel with all suggested languages, which the row's button opens: the input lists only those that fit its text. */
export const languagePanel = (row: Row, node: EditorNode): TypedInputExpand =>
  rowPanel(row, {
    icon: 'fa-caret-down',
    minWidth: 220,
    content(widget, close) {
      const offered = formRowOf(row.input).querySelectorAll<HTMLOptionElement>('datalist option');
      const options = [...offered].map(({ value }) => element('option', { value }, value));
      const list = element('select', { size: 12, ariaLabel: node._('fields.language.label') }, ...options);
      list.value = toName(row.input.value);
      list.addEventListener('change', () => widget.value(list.value));
      list.addEventListener('click', close);
      return element('div', { className: 'herald-text' }, list);
    },
  });

/** Shows the name of the typed language when the user leaves the field. */
export function prepareLanguage(row: Row): void {
  const visible = visibleOf(row.input);
  visible.addEventListener('change', () => {
    if (row.type.value === 'str') visible.value = toName(row.input.value);
  });
}
