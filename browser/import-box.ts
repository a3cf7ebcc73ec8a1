/** The fold that imports voices from a folder on the computer of the service, for computers without a network. */
import { element } from './dom.js';
import { JobLine, type Surface } from './job-line.js';
import type { ImportJob, NaturalList } from './natural-voice.js';
import { filled, wordsFor } from './voice-words.js';

/** The requests of the box. */
export interface ImportService {
  start(folder: string): Promise<ImportJob>;
  /** Returns undefined if the service has no import, for example after its cancellation. */
  read(): Promise<ImportJob | undefined>;
  cancel(): Promise<unknown>;
}

/** The failures that have a text of their own, by their kinds. */
const FAILURES = ['no-folder', 'no-voices', 'unreadable'] as const;

export class ImportBox {
  readonly element: HTMLDetailsElement;
  readonly #folder: HTMLInputElement;
  readonly #start: HTMLButtonElement;
  readonly #status: HTMLElement;
  readonly #line: JobLine;

  /** @param onEnd called after the end of an import; loads the list of voices */
  constructor(
    private readonly surface: Surface,
    private readonly service: ImportService,
    private readonly onEnd: () => Promise<unknown>,
  ) {
    const { classes } = surface;
    const { folder, title, intro, start, progress, cancel: cancelName } = this.#words;
    this.#folder = element('input', { name: 'folder', autocomplete: 'off' });
    this.#start = element('button', { type: 'button', className: classes.start }, start);
    this.#start.addEventListener('click', () => this.#attempt());
    // Enter in a field of a dialog would press its button Done.
    this.#folder.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter') return;
      event.preventDefault();
      this.#start.click();
    });
    this.#status = element('p', { className: classes.status, role: 'status' });
    const cancel = surface.button(wordsFor(surface.language()).job.cancel, cancelName);
    const end = () => service.cancel().then(() => '');
    cancel.addEventListener('click', () => void surface.attempt(this.#status, cancel, end));
    this.#line = new JobLine(surface, progress, cancel, true);
    this.element = element(
      'details',
      { className: classes.import, hidden: true },
      element('summary', {}, title),
      element('p', { className: classes.note }, intro),
      element('div', { className: classes.fields }, surface.field(folder, this.#folder), this.#start),
      this.#line.element,
      this.#status,
    );
    this.element.addEventListener('toggle', () => {
      if (this.element.open) this.element.scrollIntoView({ block: 'nearest' });
    });
  }

  /** Offers the import if the service can write voices, and follows an import in progress. */
  show({ isWritable, import: job }: Pick<NaturalList, 'isWritable' | 'import'>): void {
    this.element.hidden = !isWritable;
    if (job?.isDone !== false || !this.#line.element.hidden) return;
    this.open();
    this.#folder.value ||= job.folder;
    this.#attempt(job);
  }

  open(): void {
    this.element.open = true;
  }

  get #words() {
    return wordsFor(this.surface.language()).import;
  }

  /** Starts an import unless one is in progress, and follows it to its end. */
  #attempt(running?: ImportJob): void {
    const folder = this.#folder.value.trim();
    if (folder === '' && running === undefined) return this.#folder.focus();
    const start = () => {
      this.#status.textContent = this.#words.reading;
      return this.service.start(folder);
    };
    void this.surface.attempt(this.#status, this.#start, async () =>
      this.#follow(running ?? (await start())),
    );
  }

  /** Shows the progress until its end. @returns the result in words @throws Error with the reason of a failure */
  async #follow(started: ImportJob): Promise<string> {
    this.#status.textContent = '';
    const ended = this.#line.follow(started, () => this.service.read());
    this.#line.reveal();
    const job = await ended;
    if (job?.isDone === false) return '';
    await this.onEnd();
    const words = this.#words;
    // The service forgets a cancelled import.
    if (job === undefined) return words.cancelled;
    const { folder, error: problem, kind } = job;
    if (problem === '') return filled(words.done, { folder });
    const failure = FAILURES.find((one) => one === kind) ?? 'failed';
    throw new Error(filled(words[failure], { folder, problem }));
  }
}
