/** The progress of a job of natural voices, in the look and the words of a page. */
import { element, showProgress } from './dom.js';
import type { Job } from './natural-voice.js';

/** The look and the words of a page: the editor or the console. */
export interface Surface {
  /** Returns the language of the texts. */
  language(): string;
  /** Formats bytes, such as `63 MB`. */
  size(bytes: number): string;
  /** Returns a function that describes the progress of one job. @param isCopy whether the files come from a folder */
  steps(isCopy: boolean): (job: Job & { voice?: string }) => string;
  /** Creates a button. @param name its name for screen readers, if it differs from the label */
  button(label: string, name?: string): HTMLButtonElement;
  /** Returns a field with its label. */
  field(label: string, input: HTMLInputElement): HTMLElement;
  /** Creates the button that removes something. */
  removal(label: string, name: string, act: () => void): HTMLButtonElement;
  /**
   * Runs the work of a control, unless its previous work still runs. Shows the result or the error in the status line.
   * @param work returns the text to show
   */
  attempt(status: HTMLElement, control: HTMLElement, work: () => Promise<string>): Promise<void>;
  /** The CSS classes of the parts. */
  classes: Readonly<
    Record<
      'native' | 'import' | 'fields' | 'start' | 'line' | 'progress' | 'step' | 'note' | 'status',
      string
    >
  >;
}

/** Milliseconds between two looks at a job. */
const INTERVAL = 500;
/** The phases whose length is known: bytes, or the sentences of a measurement. */
const COUNTED: readonly string[] = ['download', 'measure'];

/** A bar with the step of a job in words, and the button that cancels it. Hidden without a job. */
export class JobLine {
  readonly element: HTMLElement;
  readonly #bar: HTMLProgressElement;
  readonly #step: HTMLElement;

  /** @param label name of the bar for screen readers */
  constructor(
    private readonly surface: Surface,
    label: string,
    cancel: HTMLButtonElement,
    private readonly isCopy = false,
  ) {
    const { classes } = surface;
    this.#bar = element('progress', { ariaLabel: label });
    this.#step = element('small', { className: classes.step });
    const parts = [this.#bar, this.#step, cancel];
    this.element = element('div', { className: classes.progress, hidden: true }, ...parts);
  }

  /** Scrolls to the line: the list of voices fills a small window. */
  reveal(): void {
    this.element.scrollIntoView({ block: 'nearest' });
  }

  /**
   * Shows a job until its end, or until the page is closed. The job goes on then.
   * @param read returns undefined for a job that the service has forgotten, as after a cancel
   */
  async follow<Kind extends Job | undefined>(
    first: Kind,
    read: () => Promise<Kind>,
    isShown = () => this.element.isConnected,
  ): Promise<Kind> {
    const describe = this.surface.steps(this.isCopy);
    let job = first;
    this.element.hidden = false;
    try {
      while (job?.isDone === false) {
        this.#step.textContent = describe(job);
        showProgress(this.#bar, job.bytes, COUNTED.includes(job.phase) ? job.total : 0);
        await new Promise((resolve) => setTimeout(resolve, INTERVAL));
        if (!isShown()) break;
        const next = await read();
        if (!isShown()) break;
        job = next;
      }
    } finally {
      this.element.hidden = true;
    }
    return job;
  }
}
