/** The line below a list of speakers: starts the search, shows its state, and opens the dialog of a new speaker. */
import { element } from '@herald-speech/browser';
import { button, icon, showStatus } from '../lib/dom.js';
import { errorText } from '../lib/runtime.js';
import { SPEAKER } from './found.js';
import { speakerSearch } from './search.js';

export interface SearchBar {
  readonly parts: readonly HTMLElement[];
  /** Shows the state of the search. @param count the number of listed speakers */
  show(count: number): void;
}

export function createSearchBar(texts: Pick<EditorNode, '_'>): SearchBar {
  const search = button({}, icon('search'), ' ', element('span', {}, texts._('speakers.search')));
  search.addEventListener('click', () => speakerSearch.start());
  const add = button({}, icon('plus'), ' ', element('span', {}, texts._('speakers.by-address')));
  add.addEventListener('click', () => RED.editor.editConfig('', SPEAKER, '_ADD_'));
  const note = element('p', { className: 'herald-note', role: 'status' });
  return {
    parts: [element('div', { className: 'herald-speakers-bar' }, search, add), note],
    show(count) {
      const { state } = speakerSearch;
      search.ariaBusy = state.is === 'searching' ? 'true' : null;
      if (state.is === 'failed') return showStatus(note, errorText(state.error, texts), true);
      const isEmpty = state.is === 'ended' && count === 0;
      const key = state.is === 'searching' ? 'speakers.searching' : isEmpty ? 'speakers.none' : '';
      showStatus(note, key && texts._(key));
    },
  };
}
