/** The line that installs and removes the native runtime of natural voices. */
import { element, type NativeRuntime, showProgress } from '@herald-speech/browser';
import { attempt, quietButton, showSectionStatus } from '../lib/dom.js';
import { size } from '../lib/format.js';
import { type Key, text } from '../lib/text.js';
import type { NaturalService } from './natural-service.js';
import { progressOf } from './words.js';

/** Milliseconds between two requests for the progress. */
const INTERVAL = 500;

/** The reasons why the runtime cannot run, by the words of the service. */
const obstacles: Readonly<Record<string, Key>> = {
  musl: 'native.musl',
  'old-glibc': 'native.old-glibc',
  platform: 'native.platform',
};

export class NativeBox {
  readonly #content = element('div', { className: 'line' });
  readonly #bar = element('progress', { ariaLabel: text('native.progress') });
  readonly #step = element('span', { className: 'note' });
  readonly #status = element('p', { className: 'status', role: 'status' });
  readonly #progress: HTMLElement;
  readonly element: HTMLElement;
  #isFollowing = false;

  /** @param onEnd called after a change; loads the list of voices, whose speed has changed */
  constructor(
    private readonly service: NaturalService,
    private readonly onEnd: () => Promise<void>,
  ) {
    const cancel = quietButton(text('cancel'), text('native.cancel'));
    const end = () => this.service.endNative().then(() => '');
    cancel.addEventListener('click', () => void attempt(this.#status, cancel, end));
    this.#progress = element('div', { className: 'line', hidden: true }, this.#bar, this.#step, cancel);
    this.element = element(
      'div',
      { className: 'native', hidden: true },
      this.#content,
      this.#progress,
      this.#status,
    );
  }

  /** Shows the present state, and follows a change in progress. */
  async show(): Promise<void> {
    if (this.#isFollowing) return;
    const state = await this.service.native();
    this.element.hidden = state === undefined;
    if (state === undefined) return;
    this.#present(state);
    if (state.job?.isDone === false) void attempt(this.#status, this.#content, () => this.#follow(state));
  }

  #present({ isInstalled, isOutdated, obstacle, bytes, downloadBytes }: NativeRuntime): void {
    const note = (key: Key) => element('span', { className: 'note' }, text(key, { size: size(bytes) }));
    const remove = () => this.#button('remove', text('natural.remove'), text('native.remove'));
    if (isInstalled) return this.#content.replaceChildren(note('native.installed'), remove());
    const key = obstacles[obstacle];
    const label = text(isOutdated ? 'native.update' : 'native.install', { size: size(bytes) });
    const offer = key === undefined ? this.#button('install', label) : note(key);
    if (key === undefined) offer.title = text('native.hint', { size: size(downloadBytes) });
    this.#content.replaceChildren(...(isOutdated ? [note('native.outdated'), offer, remove()] : [offer]));
  }

  #button(change: 'install' | 'remove', label: string, name = label): HTMLButtonElement {
    const button = quietButton(label, name);
    const work = async () => {
      await this.service.changeNative(change);
      const state = await this.service.native();
      return state === undefined ? '' : this.#follow(state);
    };
    button.addEventListener('click', () => void attempt(this.#status, button, work));
    return button;
  }

  /** Shows the progress of a change until its end. @returns the result in words @throws Error with the reason of a failure */
  async #follow(before: NativeRuntime): Promise<string> {
    this.#isFollowing = true;
    [this.#progress.hidden, this.#content.hidden] = [false, true];
    showSectionStatus(this.#status, '');
    let state: NativeRuntime | undefined = before;
    try {
      while (state?.job?.isDone === false) {
        this.#step.textContent = progressOf(state.job);
        showProgress(this.#bar, state.job.bytes, state.job.total);
        await new Promise((resolve) => setTimeout(resolve, INTERVAL));
        state = await this.service.native();
      }
    } finally {
      this.#isFollowing = false;
      [this.#progress.hidden, this.#content.hidden] = [true, false];
    }
    if (state === undefined) return '';
    this.#present(state);
    await this.onEnd();
    if (state.job?.error) throw new Error(text('natural.failed', { problem: state.job.error }));
    // The service forgets a cancelled job.
    if (state.job === undefined) return '';
    return text(state.isInstalled ? 'native.done' : 'native.removed');
  }
}
