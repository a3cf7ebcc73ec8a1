/** The fold that imports voices from a folder on the computer of the service. */
import { element, type ImportJob, showProgress } from '@herald-speech/browser';
import { attempt, quietButton } from '../lib/dom.js';
import { type Key, text } from '../lib/text.js';
import type { NaturalService } from './natural-service.js';
import { failureText, importProgressOf } from './words.js';

/** Milliseconds between two requests for the progress. */
const INTERVAL = 500;

/** The failures that have a text of their own, by their kinds. */
const failures: Readonly<Record<string, Key>> = {
  'no-folder': 'import.no-folder',
  'no-voices': 'import.no-voices',
  unreadable: 'import.unreadable',
};

export class ImportBox {
  readonly #folder = element('input', { name: 'folder', required: true, autocomplete: 'off' });
  readonly #start = element('button', {}, text('import.start'));
  readonly #bar = element('progress', { ariaLabel: text('import.progress') });
  readonly #step = element('span', { className: 'note' });
  readonly #status = element('p', { className: 'status', role: 'status' });
  readonly #progress: HTMLElement;
  readonly element: HTMLDetailsElement;
  #isFollowing = false;

  /** @param onEnd called after the end of an import; loads the list of voices */
  constructor(
    private readonly service: NaturalService,
    private readonly onEnd: () => Promise<void>,
  ) {
    const cancel = quietButton(text('cancel'), text('import.cancel'));
    const end = () => this.service.endImport().then(() => '');
    cancel.addEventListener('click', () => void attempt(this.#status, cancel, end));
    this.#progress = element('div', { className: 'line', hidden: true }, this.#bar, this.#step, cancel);
    const label = element('label', {}, text('import.folder'), this.#folder);
    const form = element('form', { className: 'finder' }, label, this.#start);
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void attempt(this.#status, this.#start, () => this.#import());
    });
    this.element = element(
      'details',
      { className: 'import', hidden: true },
      element('summary', {}, text('import.title')),
      element('p', { className: 'note' }, text('import.intro')),
      form,
      this.#progress,
      this.#status,
    );
  }

  /** Offers the import if the service can write voices, and follows an import in progress. */
  show(isWritable: boolean, job: ImportJob | undefined): void {
    this.element.hidden = !isWritable;
    if (job?.isDone !== false || this.#isFollowing) return;
    this.element.open = true;
    this.#folder.value ||= job.folder;
    void attempt(this.#status, this.#start, () => this.#follow(job));
  }

  async #import(): Promise<string> {
    return this.#follow(await this.service.startImport(this.#folder.value.trim()));
  }

  /** Shows the progress of an import until its end. @returns the result in words @throws Error with the reason of a failure */
  async #follow(started: ImportJob): Promise<string> {
    this.#isFollowing = true;
    this.#progress.hidden = false;
    let job: ImportJob | undefined = started;
    try {
      while (job?.isDone === false) {
        this.#step.textContent = importProgressOf(job);
        showProgress(this.#bar, job.bytes, job.total);
        await new Promise((resolve) => setTimeout(resolve, INTERVAL));
        job = await this.service.importJob();
      }
    } finally {
      this.#isFollowing = false;
      this.#progress.hidden = true;
    }
    await this.onEnd();
    // The service forgets a cancelled import.
    if (job === undefined) return text('import.cancelled');
    if (job.error === '') return text('import.done', { folder: job.folder });
    const failure = failures[job.kind];
    throw new Error(failure === undefined ? failureText(job) : text(failure, { folder: job.folder }));
  }
}
