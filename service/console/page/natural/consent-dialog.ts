/** The dialog that shows the licence of a voice and asks for consent before the installation. */
import { element, type ModelCard, type NaturalVoice } from '@herald-speech/browser';
import { ApiError } from '../lib/api.js';
import { attempt, errorMessage, showSectionStatus } from '../lib/dom.js';
import { size } from '../lib/format.js';
import { text } from '../lib/text.js';
import { failureText, nonCommercial, traitsOf } from './words.js';

export interface ConsentSteps {
  /** Loads the model card, and the free bytes of the voice folder. */
  load(signal: AbortSignal): Promise<{ card: ModelCard; freeBytes: number | undefined }>;
  /** Starts the installation, given the digest of the accepted model card. */
  accept(sha256: string): Promise<void>;
  /** Called after the installation started and the dialog was closed. */
  onStarted(): void;
  /** Called after the dialog was closed in any way. */
  onClosed(): void;
}

export class ConsentDialog {
  readonly #title = element('h2', { id: 'consent-title' });
  readonly #facts = element('p', { id: 'consent-facts', className: 'note' });
  readonly #terms = element('div', { className: 'terms' });
  readonly #status = element('p', { className: 'status', role: 'alert' });
  readonly #cancel = element('button', { type: 'button', autofocus: true }, text('cancel'));
  readonly #retry = element('button', { type: 'button', hidden: true }, text('natural.retry'));
  readonly #accept = element('button', { type: 'button', className: 'primary' }, text('natural.accept'));
  readonly #dialog = element('dialog', { className: 'consent' });
  #steps: ConsentSteps | undefined;
  #card: ModelCard | undefined;
  #work = new AbortController();

  constructor() {
    this.#dialog.setAttribute('aria-labelledby', this.#title.id);
    this.#dialog.setAttribute('aria-describedby', this.#facts.id);
    const actions = element('div', { className: 'actions' }, this.#cancel, this.#retry, this.#accept);
    const parts = [this.#title, this.#facts, this.#terms, this.#status, actions];
    this.#dialog.append(element('form', {}, ...parts));
    this.#cancel.addEventListener('click', () => this.#dialog.close());
    this.#retry.addEventListener('click', () => void this.#load());
    this.#accept.addEventListener('click', () => void this.#install());
    this.#dialog.addEventListener('close', () => {
      this.#work.abort();
      this.#steps?.onClosed();
    });
    document.body.append(this.#dialog);
  }

  /** Opens the dialog for a voice. */
  open(voice: NaturalVoice, steps: ConsentSteps): void {
    this.#steps = steps;
    this.#title.textContent = text('natural.install-title', { name: voice.title });
    this.#facts.textContent = [
      traitsOf(voice),
      text('natural.to-download', { size: size(voice.bytes) }),
    ].join(' · ');
    this.#dialog.showModal();
    void this.#load();
  }

  async #load(): Promise<void> {
    this.#work.abort();
    const { signal } = (this.#work = new AbortController());
    this.#show(undefined);
    showSectionStatus(this.#status, '');
    this.#terms.replaceChildren(element('p', { className: 'note' }, text('natural.loading')));
    try {
      const loaded = await this.#steps?.load(signal);
      if (!signal.aborted && loaded) this.#showLoaded(loaded);
    } catch (error) {
      if (!signal.aborted) this.#fail(reasonOf(error));
    }
  }

  #showLoaded({ card, freeBytes }: { card: ModelCard; freeBytes: number | undefined }): void {
    this.#terms.replaceChildren(...termsOf(card));
    if (freeBytes === undefined || freeBytes >= card.bytes) {
      this.#show(card);
      return;
    }
    this.#retry.hidden = false;
    const problem = text('natural.disk-full', { needed: size(card.bytes), free: size(freeBytes) });
    showSectionStatus(this.#status, problem, 'bad');
  }

  #fail(message: string): void {
    this.#terms.replaceChildren();
    this.#retry.hidden = false;
    showSectionStatus(this.#status, message, 'bad');
  }

  /** Offers the consent to a model card. Without one, the user can only cancel. */
  #show(card: ModelCard | undefined): void {
    this.#card = card;
    this.#accept.disabled = card === undefined;
    this.#retry.hidden = true;
  }

  async #install(): Promise<void> {
    const { sha256 } = this.#card ?? {};
    if (sha256 === undefined) return;
    await attempt(this.#status, this.#accept, async () => {
      await this.#steps?.accept(sha256);
      this.#dialog.close();
      this.#steps?.onStarted();
      return '';
    });
  }
}

/** The service replies with 503 if the voice repository does not answer. */
const reasonOf = (error: unknown): string =>
  error instanceof ApiError && error.status === 503
    ? failureText({ kind: 'network', error: error.message })
    : errorMessage(error);

function termsOf({ text: content, licence, isNonCommercial }: ModelCard): Node[] {
  const named = licence === '' ? text('natural.not-named') : licence;
  const card = element('pre', { tabIndex: 0, role: 'region', ariaLabel: text('natural.card') }, content);
  const mark = element('p', { className: 'warning' }, `${nonCommercial()}: ${text('natural.commerce')}`);
  return [
    element('p', {}, element('strong', {}, `${text('natural.licence')} `), named),
    ...(isNonCommercial ? [mark] : []),
    card,
    element('p', { className: 'note' }, text('natural.confirms')),
  ];
}
