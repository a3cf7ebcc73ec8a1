/** The elements of the section for natural voices. */
import { byId, element } from '@herald-speech/browser';
import { quietButton } from '../lib/dom.js';
import { text } from '../lib/text.js';

export type Elements = ReturnType<typeof createElements>;

/** Fills the section, and returns the elements that the view changes. */
export function createElements() {
  const section = byId('natural', HTMLElement);
  const title = element('h2', { id: 'natural-title', tabIndex: -1 }, text('kind.natural'));
  const refresh = quietButton(text('natural.refresh'), text('natural.refresh-list'));
  const problems = element('div');
  const check = quietButton(text('natural.check'));
  const notice = element('div', { className: 'notice', hidden: true }, problems, check);
  const mine = listWithTitle('natural-mine', text('natural.mine'));
  const offered = listWithTitle('natural-offered', text('natural.available'));
  const status = element('p', { id: 'natural-status', className: 'status', role: 'status' });
  const folder = element('p', { className: 'note' });
  const filters = createFilters();
  const intro = element('p', { className: 'note' }, text('natural.intro'));
  const heading = element('div', { className: 'heading' }, title, refresh);
  const more = element('button', { type: 'button', className: 'quiet', hidden: true });
  const elsewhere = element('button', { type: 'button', className: 'quiet', hidden: true });
  offered.box.append(filters.form, elsewhere, element('div', { className: 'offered' }, offered.list, more));
  section.append(heading, intro, notice, status, mine.box, offered.box, folder);
  return {
    section,
    title,
    refresh,
    notice,
    problems,
    check,
    mine,
    offered,
    more,
    elsewhere,
    status,
    folder,
    filters,
  };
}

function listWithTitle(id: string, name: string) {
  const title = element('h3', { id }, name);
  const count = element('span', { className: 'note', role: 'status' });
  const list = element('ul', { className: 'rows' });
  list.setAttribute('aria-labelledby', id);
  const box = element(
    'div',
    { className: 'group' },
    element('div', { className: 'heading' }, title, count),
    list,
  );
  return { box, count, list };
}

function createFilters() {
  const language = element('select', { name: 'language' });
  const words = element('input', { type: 'search', name: 'words', autocomplete: 'off' });
  const form = element(
    'form',
    { className: 'finder' },
    element('label', {}, text('facet.language'), language),
    element('label', {}, text('natural.words'), words),
  );
  return { form, language, words };
}
