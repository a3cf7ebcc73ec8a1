/** The fold that imports voices from a folder on the computer of the service, for computers without a network. */
import { element, type ImportJob, importJobIn, type NaturalList, whileBusy } from '@herald-speech/browser';
import { button, reveal, showStatus } from '../lib/dom.js';
import { callRuntime, errorText, RuntimeError, type Target } from '../lib/runtime.js';
import { followJob, progressBar } from './progress.js';

export interface ImportFoldOptions {
  node: EditorNode;
  target: Target;
  /** Shows the voices again after the end of an import. */
  reload(): Promise<void>;
}

/** The failures that have a text of their own, by their kinds. */
const FAILURES: Readonly<Record<string, string>> = {
  'no-folder': 'picker.natural.import.no-folder',
  'no-voices': 'picker.natural.import.no-voices',
  unreadable: 'picker.natural.import.unreadable',
};

export class ImportFold {
  private readonly folder: HTMLInputElement;
  private readonly start: HTMLButtonElement;
  private readonly note = element('p', { className: 'herald-note', role: 'status' });
  private readonly progress = element('div', { className: 'herald-natural-progress' });
  readonly element: HTMLDetailsElement;

  constructor(private readonly options: ImportFoldOptions) {
    const { node } = options;
    const label = node._('picker.natural.import.folder');
    this.folder = element('input', { type: 'text', placeholder: label, ariaLabel: label });
    this.start = button({ className: 'red-ui-button-small' }, node._('picker.natural.import.start'));
    this.start.addEventListener('click', () => void whileBusy(this.start, () => this.attempt()));
    // Enter in a field of a dialog would press its button Done.
    this.folder.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter') return;
      event.preventDefault();
      this.start.click();
    });
    this.element = element(
      'details',
      { className: 'herald-natural-import', hidden: true },
      element('summary', {}, node._('picker.natural.import.title')),
      element('p', { className: 'herald-note' }, node._('picker.natural.import.intro')),
      element('div', { className: 'herald-natural-buttons' }, this.folder, this.start),
      this.progress,
      this.note,
    );
    this.element.addEventListener('toggle', () => {
      if (this.element.open) reveal(this.element);
    });
  }

  /** Offers the import if the service can write voices, and shows an import in progress. */
  show({ isWritable, import: job }: NaturalList): void {
    this.element.hidden = !isWritable;
    if (job?.isDone !== false) return;
    this.open();
    this.folder.value ||= job.folder;
    void whileBusy(this.start, () => this.attempt(job));
  }

  open(): void {
    this.element.open = true;
  }

  /** Starts an import unless one is in progress, and follows it to its end. */
  private async attempt(running?: ImportJob): Promise<void> {
    const { node } = this.options;
    showStatus(this.note, '');
    try {
      const job = running ?? (await this.begin());
      if (job !== undefined) await this.follow(job);
    } catch (error) {
      this.say(errorText(error, node), true);
    } finally {
      this.progress.replaceChildren();
    }
  }

  private async begin(): Promise<ImportJob | undefined> {
    const folder = this.folder.value.trim();
    if (folder === '') {
      this.folder.focus();
      return undefined;
    }
    this.say(this.options.node._('picker.natural.import.reading'));
    const { job } = await callRuntime('natural-voices/import', { ...this.options.target, folder });
    return importJobIn(job);
  }

  private async follow(job: ImportJob): Promise<void> {
    const { node, target, reload } = this.options;
    const shown = progressBar(node._('picker.natural.import.progress'), copying(job), node);
    const cancel = button({ className: 'red-ui-button-small' }, node._('picker.natural.cancel'));
    cancel.addEventListener('click', () => void this.cancel().catch(() => undefined));
    showStatus(this.note, '');
    this.progress.replaceChildren(shown.bar, shown.step, cancel);
    reveal(this.progress);
    let last = job;
    const read = async () => {
      last = importJobIn((await callRuntime('natural-voices/import-job', target))['job']);
      return copying(last);
    };
    const isShown = () => this.element.isConnected;
    try {
      if (!(await followJob(shown, { isShown, read, node }))) return;
    } catch (error) {
      // The service forgets a cancelled import.
      if (!(error instanceof RuntimeError && error.code === 'not-found')) throw error;
      last = { ...last, error: '', kind: 'cancelled' };
    }
    await reload();
    this.report(last);
  }

  private async cancel(): Promise<void> {
    await callRuntime('natural-voices/import-cancel', this.options.target);
  }

  private report({ error, kind, folder }: ImportJob): void {
    const { node } = this.options;
    const failure = FAILURES[kind];
    if (kind === 'cancelled') this.say(node._('picker.natural.import.cancelled'));
    else if (error === '') this.say(node._('picker.natural.import.done', { folder }));
    else if (failure !== undefined) this.say(node._(failure, { folder }), true);
    else this.say(node._('picker.natural.import.failed', { problem: error }), true);
  }

  /** Shows a line below the folder. Scrolls to it, because the list of voices fills a small window. */
  private say(text: string, isProblem = false): void {
    showStatus(this.note, text, isProblem);
    reveal(this.note);
  }
}

/** Names the step in which the files come from a folder in place of the network. */
const copying = (job: ImportJob): ImportJob => ({
  ...job,
  phase: job.phase === 'download' ? 'copy' : job.phase,
});
