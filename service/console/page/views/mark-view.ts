/** The key of the mark of synthetic speech, and the check of a file. */
import { byId, element, fieldsOf, textOf } from '@herald-speech/browser';
import { type Api, ApiError } from '../lib/api.js';
import { errorMessage, showSectionStatus } from '../lib/dom.js';
import { text } from '../lib/text.js';

const VERDICTS = ['unchanged', 'foreign', 'changed', 'unsigned', 'unmarked'] as const;

export class MarkView {
  readonly #input = element('input', { type: 'file', accept: 'audio/*,.opus,.flac,.aac' });
  readonly #key = element('code', {});
  readonly #status = element('p', { id: 'mark-status', className: 'status', role: 'status' });

  /** Adds the section below the API keys. */
  constructor(private readonly api: Api) {
    const title = element('h2', { id: 'mark-title', tabIndex: -1 }, text('mark.title'));
    const label = element('label', {}, element('span', {}, text('mark.file')), this.#input);
    const key = element('p', { className: 'note' }, `${text('mark.key')}: `, this.#key);
    const section = element('section', { id: 'mark', className: 'card' }, title, label, this.#status, key);
    section.setAttribute('aria-labelledby', title.id);
    byId('keys', HTMLElement).after(section);
    this.#input.addEventListener('change', () => void this.#check());
    // The browser reports no change if the user chooses the same file again, which can have changed.
    this.#input.addEventListener('click', () => this.#clear());
  }

  /** Loads the key, and removes a former result. @throws ApiError */
  async load(): Promise<void> {
    this.#clear();
    this.#key.textContent = textOf(fieldsOf(await this.api.json('GET', '/console/api/mark'))['key']);
  }

  #clear(): void {
    this.#input.value = '';
    showSectionStatus(this.#status, '');
  }

  async #check(): Promise<void> {
    const [file] = this.#input.files ?? [];
    showSectionStatus(this.#status, '');
    if (file === undefined) return;
    try {
      const { verdict } = fieldsOf(await this.api.json('POST', '/console/api/verify', { body: file }));
      // A result of a former file must not appear beside another one.
      if (file !== this.#input.files?.[0]) return;
      const known = VERDICTS.find((name) => name === verdict);
      const tone = known === 'unchanged' ? 'good' : 'plain';
      if (known !== undefined)
        showSectionStatus(this.#status, text(`mark.${known}`), known === 'changed' ? 'bad' : tone);
    } catch (error) {
      const isUnreadable = error instanceof ApiError && error.status === 415;
      const problem = isUnreadable ? text('mark.unreadable') : errorMessage(error);
      if (file === this.#input.files?.[0]) showSectionStatus(this.#status, problem, 'bad');
    }
  }
}
