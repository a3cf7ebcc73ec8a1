/** The line of the page of natural voices that installs and removes the native runtime. */
import { element, type NativeRuntime, nativeStateIn, whileBusy } from '@herald-speech/browser';
import { button, confirmAtSecondClick, reveal, showStatus } from '../lib/dom.js';
import { callRuntime, errorText, type Target } from '../lib/runtime.js';
import { megabytes } from './describe.js';
import { followJob, progressBar } from './progress.js';

/** The reasons why the runtime cannot run, by the words of the service. */
const OBSTACLES: Readonly<Record<string, string>> = {
  musl: 'picker.natural.native.musl',
  'old-glibc': 'picker.natural.native.old-glibc',
  platform: 'picker.natural.native.platform',
};

interface NativeBoxOptions {
  node: EditorNode;
  target: Target;
  /** Shows the voices again, whose speed has changed. */
  reload(): Promise<void>;
}

export class NativeFold {
  readonly element = element('div', { className: 'herald-native', hidden: true });
  private readonly note = element('p', { className: 'herald-note', role: 'status' });

  constructor(private readonly options: NativeBoxOptions) {}

  /** Shows the present state. The line stays hidden if the service has no such runtime. */
  async show(): Promise<void> {
    const state = await this.read().catch(() => undefined);
    if (state !== undefined) this.present(state);
  }

  private async read(): Promise<NativeRuntime> {
    return nativeStateIn(await callRuntime('natural-voices/native', this.options.target));
  }

  private present(state: NativeRuntime): void {
    const { node } = this.options;
    const { job } = state;
    this.element.hidden = false;
    if (job?.isDone === false) return this.follow(state);
    this.element.replaceChildren(...this.parts(state), this.note);
    if (job?.error) showStatus(this.note, node._('picker.natural.failed', { problem: job.error }), true);
  }

  private parts(state: NativeRuntime): HTMLElement[] {
    const { isInstalled, isOutdated, obstacle, bytes } = state;
    const { node } = this.options;
    const note = (key: string) => element('p', { className: 'herald-note' }, node._(key));
    const key = OBSTACLES[obstacle];
    const reason = key === undefined ? [] : [note(key)];
    const offer = obstacle === '' ? [this.offer(state)] : [];
    if (isInstalled) {
      const text = node._('picker.natural.native.installed', { size: megabytes(bytes) });
      return [element('span', { className: 'herald-note' }, text), this.removal()];
    }
    if (isOutdated) return [note('picker.natural.native.outdated'), ...reason, ...offer, this.removal()];
    return [...reason, ...offer];
  }

  private offer({ isOutdated, bytes, downloadBytes }: NativeRuntime): HTMLElement {
    const { node } = this.options;
    const key = isOutdated ? 'picker.natural.native.update' : 'picker.natural.native.install';
    const install = button({ className: 'red-ui-button-small' }, node._(key, { size: megabytes(bytes) }));
    install.title = node._('picker.natural.native.hint', { size: megabytes(downloadBytes) });
    install.addEventListener('click', () => void whileBusy(install, () => this.change('install')));
    return install;
  }

  private removal(): HTMLElement {
    const { node } = this.options;
    const remove = button({ className: 'red-ui-button-small' }, node._('picker.natural.labels.remove'));
    remove.ariaLabel = node._('picker.natural.native.remove');
    const labels = { idle: node._('picker.natural.labels.remove'), asking: node._('picker.natural.confirm') };
    confirmAtSecondClick(remove, labels, () => void whileBusy(remove, () => this.change('remove')));
    return remove;
  }

  private async change(kind: 'install' | 'remove'): Promise<void> {
    const { node, target } = this.options;
    showStatus(this.note, '');
    try {
      await callRuntime(`natural-voices/native-${kind}`, target);
      this.present(await this.read());
    } catch (error) {
      showStatus(this.note, errorText(error, node), true);
    }
  }

  /** Shows the progress of a change until its end. */
  private follow({ job }: NativeRuntime): void {
    if (job === undefined) return;
    const { node, target, reload } = this.options;
    const shown = progressBar(node._('picker.natural.native.progress'), job, node);
    const cancel = button({ className: 'red-ui-button-small' }, node._('picker.natural.cancel'));
    cancel.ariaLabel = node._('picker.natural.native.cancel');
    cancel.addEventListener(
      'click',
      () =>
        void whileBusy(cancel, () =>
          callRuntime('natural-voices/native-cancel', target).then(
            () => undefined,
            (error: unknown) => showStatus(this.note, errorText(error, node), true),
          ),
        ),
    );
    const line = element('div', { className: 'herald-natural-progress' }, shown.bar, shown.step, cancel);
    this.element.replaceChildren(line, this.note);
    reveal(this.element);
    const read = async () => (await this.read()).job ?? { ...job, isDone: true };
    void followJob(shown, { isShown: () => line.isConnected, read, node })
      .then(async (isEnded) => {
        if (!isEnded) return;
        const state = await this.read();
        this.present(state);
        // The service forgets a cancelled job.
        if (state.job !== undefined && !state.job.error) this.say(state);
        await reload();
      })
      .catch((error: unknown) => showStatus(this.note, errorText(error, node), true));
  }

  private say({ isInstalled }: NativeRuntime): void {
    const { node } = this.options;
    showStatus(
      this.note,
      node._(isInstalled ? 'picker.natural.native.done' : 'picker.natural.native.removed'),
    );
  }
}
