/** The line that installs and removes the native runtime of natural voices. */
import { element } from './dom.js';
import { JobLine, type Surface } from './job-line.js';
import { type Job, jobIn } from './natural-voice.js';
import { fieldsOf, numberOf, textOf } from './values.js';
import { filled, wordsFor } from './voice-words.js';

/** The native runtime, as the service describes it. Unknown numbers are 0. */
export interface NativeRuntime {
  isInstalled: boolean;
  /** Whether only a version for another Herald is installed, which voices do not use. */
  isOutdated: boolean;
  /** On the disk: of the installed runtime, or else after an installation. */
  bytes: number;
  downloadBytes: number;
  /** `musl`, `old-glibc` or `platform`; '' if the runtime can run. */
  obstacle: string;
  job: Job | undefined;
}

export function nativeStateIn(value: unknown): NativeRuntime {
  const { isInstalled, isOutdated, bytes, downloadBytes, obstacle, job } = fieldsOf(value);
  return {
    isInstalled: isInstalled === true,
    isOutdated: isOutdated === true,
    bytes: numberOf(bytes) ?? 0,
    downloadBytes: numberOf(downloadBytes) ?? 0,
    obstacle: textOf(obstacle),
    job: job instanceof Object ? jobIn(job) : undefined,
  };
}

/** The requests of the box. */
export interface NativeService {
  /** Returns undefined for a service without such a runtime. */
  read(): Promise<NativeRuntime | undefined>;
  change(change: 'install' | 'remove'): Promise<unknown>;
  cancel(): Promise<unknown>;
}

export class NativeBox {
  readonly element: HTMLElement;
  readonly #content: HTMLElement;
  readonly #status: HTMLElement;
  readonly #line: JobLine;

  /** @param onEnd called after a change; loads the list of voices, whose speed has changed */
  constructor(
    private readonly surface: Surface,
    private readonly service: NativeService,
    private readonly onEnd: () => Promise<unknown>,
  ) {
    const { classes } = surface;
    const words = this.#words;
    this.#content = element('div', { className: classes.line });
    this.#status = element('p', { className: classes.status, role: 'status' });
    const cancel = surface.button(this.#shared.cancel, words.cancel);
    const end = () => service.cancel().then(() => '');
    cancel.addEventListener('click', () => void surface.attempt(this.#status, cancel, end));
    this.#line = new JobLine(surface, words.progress, cancel);
    const parts = [this.#content, this.#line.element, this.#status];
    this.element = element('div', { className: classes.native, hidden: true }, ...parts);
  }

  /** Shows the present state, and follows a change in progress. The box stays hidden for a service without such a runtime. */
  async show(): Promise<void> {
    if (!this.#line.element.hidden) return;
    const state = await this.service.read();
    this.element.hidden = state === undefined;
    if (state === undefined) return;
    this.#present(state);
    const { job } = state;
    if (job !== undefined && (!job.isDone || job.error !== ''))
      void this.surface.attempt(this.#status, this.#content, () => this.#follow(job));
  }

  get #words() {
    return wordsFor(this.surface.language()).native;
  }

  get #shared() {
    return wordsFor(this.surface.language()).job;
  }

  #present({ isInstalled, isOutdated, obstacle, bytes, downloadBytes }: NativeRuntime): void {
    const { surface } = this;
    const words = this.#words;
    const size = { size: surface.size(bytes) };
    const note = (text: string) => element('span', { className: surface.classes.note }, filled(text, size));
    const removal = surface.removal(this.#shared.remove, words.remove, () => this.#change(removal, 'remove'));
    if (isInstalled) return this.#content.replaceChildren(note(words.installed), removal);
    const install = surface.button(filled(isOutdated ? words.update : words.install, size));
    install.title = filled(words.hint, { size: surface.size(downloadBytes) });
    install.addEventListener('click', () => this.#change(install, 'install'));
    const reason = Object.entries(words).find(([name]) => name === obstacle)?.[1] ?? '';
    const offer = obstacle === '' ? install : note(reason);
    this.#content.replaceChildren(...(isOutdated ? [note(words.outdated), offer, removal] : [offer]));
  }

  #change(control: HTMLElement, change: 'install' | 'remove'): void {
    void this.surface.attempt(this.#status, control, async () => {
      await this.service.change(change);
      return this.#follow((await this.service.read())?.job);
    });
  }

  /** Shows the progress of a change until its end. @returns the result in words @throws Error with the reason of a failure */
  async #follow(first: Job | undefined): Promise<string> {
    this.#content.hidden = true;
    const ended = this.#line.follow(first, async () => (await this.service.read())?.job);
    this.#line.reveal();
    const job = await ended.finally(() => (this.#content.hidden = false));
    const state = await this.service.read();
    if (state === undefined || job?.isDone === false) return '';
    this.#present(state);
    await this.onEnd();
    if (job?.error) throw new Error(filled(this.#shared.failed, { problem: job.error }));
    // The service forgets a cancelled job.
    if (job === undefined) return '';
    return state.isInstalled ? this.#words.done : this.#words.removed;
  }
}
