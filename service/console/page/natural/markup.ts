/** The elements of the section for natural voices. */
import { byId, make } from '../dom.js';

export type Elements = ReturnType<typeof createElements>;

/** Fills the section, and returns the elements that the view changes. */
export function createElements() {
  const section = byId('natural', HTMLElement);
  const title = make('h2', { id: 'natural-title', tabIndex: -1 }, 'Natural voices');
  const refresh = make(
    'button',
    { type: 'button', className: 'quiet', ariaLabel: 'Refresh the list of voices' },
    'Refresh',
  );
  const problems = make('div');
  const check = make('button', { type: 'button', className: 'quiet' }, 'Check again');
  const notice = make('div', { className: 'notice', hidden: true }, problems, check);
  const mine = listWithTitle('natural-mine', 'Your natural voices');
  const offered = listWithTitle('natural-offered', 'Available');
  const status = make('p', { id: 'natural-status', className: 'status', role: 'status' });
  const folder = make('p', { className: 'note' });
  const filters = createFilters();
  const intro = make(
    'p',
    { className: 'note' },
    'Natural voices sound like people. “Install” shows the licence of a voice, and then downloads the voice once. After that, the voice speaks without the internet.',
  );
  const heading = make('div', { className: 'heading' }, title, refresh);
  const more = make('button', { type: 'button', className: 'quiet', hidden: true });
  offered.box.append(filters.form, make('div', { className: 'offered' }, offered.list, more));
  section.append(heading, intro, notice, status, mine.box, offered.box, folder);
  return { section, title, refresh, notice, problems, check, mine, offered, more, status, folder, filters };
}

function listWithTitle(id: string, name: string) {
  const title = make('h3', { id }, name);
  const count = make('span', { className: 'note', role: 'status' });
  const list = make('ul', { className: 'rows' });
  list.setAttribute('aria-labelledby', id);
  const box = make('div', { className: 'group' }, make('div', { className: 'heading' }, title, count), list);
  return { box, count, list };
}

function createFilters() {
  const language = make('select', { name: 'language' });
  const words = make('input', { type: 'search', name: 'words', autocomplete: 'off' });
  const form = make(
    'form',
    { className: 'finder' },
    make('label', {}, 'Language', language),
    make('label', {}, 'Name or quality', words),
  );
  return { form, language, words };
}
