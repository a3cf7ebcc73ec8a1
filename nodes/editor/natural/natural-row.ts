/** A row of the list of natural voices: its facts, and its installation from the consent to the finished voice. */
import {
  element,
  filled,
  isStated,
  type Job,
  JobLine,
  type ModelCard,
  type NaturalVoice,
  type Voice,
  whileBusy,
  wordsFor,
} from '@herald-speech/browser';
import { confirmAtSecondClick } from '../lib/dom.js';
import { errorText, type Target } from '../lib/runtime.js';
import { toggleSound } from '../lib/sound.js';
import type { TextsOf } from './describe.js';
import {
  ACTIONS,
  cancelButton,
  consentTo,
  descriptionOf,
  jobTexts,
  nameOffer,
  sampleButton,
  rowButton,
} from './row-elements.js';
import { installedVoice, readCard, requestsOf } from './requests.js';
import { surfaceOf } from './surface.js';

export interface RowContext {
  node: TextsOf;
  target: Target;
  /** Whether the service can install and remove voices. */
  canChange: boolean;
  /** Whether the page with the row is open, also if a filter hides the row. */
  isOpen(): boolean;
  choose(voice: Voice): void;
  /** Opens the fold that imports voices from a folder. */
  offerImport(): void;
  /** Set for the voice that a dialog offers: the button names size and licence, so that a press accepts this licence. */
  offer?: {
    /** Called after the installation. `use` chooses the voice. */
    installed(use: () => void): void;
  };
}

/** Creates the row of a voice. */
export function naturalRow(voice: NaturalVoice, context: RowContext): HTMLElement {
  return new NaturalRow(voice, context).item;
}

class NaturalRow {
  readonly item = element('li', { className: 'herald-natural-row' });
  /** Errors and results, which screen readers announce. */
  private readonly note = element('p', { className: 'herald-note', role: 'status' });
  private readonly requests: ReturnType<typeof requestsOf>;
  private readonly below = element('div', { className: 'herald-natural-below' });

  constructor(
    private voice: NaturalVoice,
    private readonly context: RowContext,
  ) {
    this.requests = requestsOf(context.target, voice.name);
    this.show();
  }

  /** Shows the present state of the voice. */
  private show(): void {
    const { job, installed } = this.voice;
    const isInstalling = job !== undefined && !job.isDone;
    const install = isInstalling || installed ? [] : this.install();
    const actions = isInstalling || !installed ? [] : this.installedActions();
    this.below.replaceChildren(
      this.note,
      element('div', { className: 'herald-natural-buttons' }, ...actions),
    );
    this.item.replaceChildren(
      descriptionOf(this.voice, this.context.node),
      ...this.sample(),
      ...install,
      this.below,
    );
    if (isInstalling) void this.follow();
    else if (job?.error) this.failedWith(job);
  }

  /** Shows the reason of a failed installation. Without a network, a folder is another way. */
  private failedWith({ kind, error: problem }: Job): void {
    const { node, offerImport } = this.context;
    const isOffline = kind === 'network';
    const { offline, failed } = wordsFor(RED.i18n.lang()).job;
    const isMeasurement = this.voice.installed !== undefined && !isOffline;
    const text = filled(isOffline ? offline : failed, { problem });
    this.fail(isMeasurement ? node._('picker.natural.measurement.failed', { problem }) : text);
    if (isOffline) offerImport();
  }

  private sample(): HTMLElement[] {
    const { node } = this.context;
    const { title, hasSample } = this.voice;
    if (!hasSample) return [];
    const play = sampleButton(title, node);
    const { sample } = this.requests;
    play.addEventListener('click', () => void this.attempt(() => toggleSound(play, sample)));
    return [play];
  }

  private install(): HTMLElement[] {
    if (!this.context.canChange) return [];
    const { node, offer } = this.context;
    const install = rowButton('install', this.voice, node);
    if (offer !== undefined) nameOffer(install, this.voice, node);
    this.onPress(install, () => this.ask(install));
    return [install];
  }

  private installedActions(): HTMLElement[] {
    const { node, canChange } = this.context;
    const use = rowButton('use', this.voice, node);
    use.classList.add('primary');
    use.addEventListener('click', () => void this.attempt(() => this.use()));
    const measure = rowButton('measure', this.voice, node);
    this.onPress(measure, () => this.measure());
    if (!canChange) return [use, measure];
    const remove = rowButton('remove', this.voice, node);
    const labels = { idle: node._(ACTIONS.remove.label), asking: node._('picker.natural.confirm') };
    confirmAtSecondClick(remove, labels, () => void this.attempt(() => this.remove()));
    return [use, measure, remove];
  }

  /** Reads the model card, and asks for the consent to its licence. */
  private async ask(pressed: HTMLButtonElement): Promise<void> {
    const { node } = this.context;
    this.note.textContent = node._('picker.natural.reading');
    const card = await readCard(this.voice, this.context);
    if (this.context.offer !== undefined && isStated(card, this.voice)) return this.start(card, pressed);
    const { question, yes, no } = consentTo(this.voice, card, node);
    no.addEventListener('click', () => this.showAndFocus('install'));
    this.onPress(yes, () => this.start(card, no));
    this.note.textContent = '';
    this.below.replaceChildren(this.note, question);
    // The user may have moved on while the card was read.
    if (document.activeElement === pressed) no.focus();
    pressed.remove();
  }

  private async start(
    { sha256, licence, isNonCommercial }: ModelCard,
    other: HTMLButtonElement,
  ): Promise<void> {
    other.disabled = true;
    try {
      const job = await this.requests.install(sha256);
      this.voice = { ...this.voice, job, licence: licence || this.voice.licence, isNonCommercial };
      this.showAndFocus('cancel');
    } finally {
      other.disabled = false;
    }
  }

  /** Measures the installed voice again. */
  private async measure(): Promise<void> {
    this.voice = { ...this.voice, job: await this.requests.measure() };
    this.showAndFocus('cancel');
  }

  /** Shows the progress until the end, then the installed voice or the reason of the failure. */
  private async follow(): Promise<void> {
    const { node, isOpen } = this.context;
    const { job, title, installed } = this.voice;
    if (job === undefined) return;
    const texts = jobTexts(installed !== undefined);
    const cancel = cancelButton(node._(texts.cancel, { name: title }), node);
    this.onPress(cancel, () => this.cancel());
    const line = new JobLine(surfaceOf(node), node._(texts.progress, { name: title }), cancel);
    this.below.append(line.element);
    const isShown = () => isOpen() && this.below.contains(line.element);
    await this.attempt(async () => {
      const { isDone } = await line.follow(job, this.requests.job, isShown);
      if (!isDone) return;
      const hadFocus = this.item.contains(document.activeElement);
      await this.reload();
      if (hadFocus) this.focus(this.voice.installed ? 'use' : 'install');
      if (!this.voice.installed || this.voice.job?.error) return;
      this.note.textContent = node._(texts.done, { name: title });
      this.context.offer?.installed(() => void this.attempt(() => this.use()));
    });
  }

  private async cancel(): Promise<void> {
    await this.requests.cancel();
    this.voice = { ...this.voice, job: undefined };
    this.showAndFocus(this.voice.installed ? 'measure' : 'install');
  }

  private async use(): Promise<void> {
    const { node, choose } = this.context;
    const found = await installedVoice(this.voice, this.context.target);
    if (found === undefined) this.fail(node._('picker.natural.not-loaded'));
    else choose(found);
  }

  private async remove(): Promise<void> {
    await this.requests.remove();
    await this.reload();
    this.focus('install');
    this.note.textContent = this.context.node._('picker.natural.removed', { name: this.voice.title });
  }

  /** Reads the state of the voice again. */
  private async reload(): Promise<void> {
    this.voice = (await this.requests.voice()) ?? this.voice;
    this.show();
  }

  private showAndFocus(action: string): void {
    this.show();
    this.focus(action);
  }

  private focus(action: string): void {
    this.item.querySelector<HTMLElement>(`[data-action=${action}]`)?.focus();
  }

  /** Acts at each press of a button, which is busy meanwhile. */
  private onPress(button: HTMLButtonElement, act: () => Promise<void>): void {
    button.addEventListener('click', () => void whileBusy(button, () => this.attempt(act)));
  }

  /** Shows the error of an action. */
  private async attempt(act: () => Promise<void>): Promise<void> {
    this.note.textContent = '';
    this.note.classList.remove('herald-problem');
    try {
      await act();
    } catch (error) {
      this.fail(errorText(error, this.context.node));
    }
  }

  private fail(text: string): void {
    this.note.textContent = text;
    this.note.classList.add('herald-problem');
  }
}
