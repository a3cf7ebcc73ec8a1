/** The dialog that shows the licence of a voice and asks for consent before the installation. */
import { attempt, make, messageOf, showStatus } from '../dom.js';
import { size } from '../format.js';
import type { ModelCard, NaturalVoice } from './natural-voice.js';
import { NON_COMMERCIAL, traitsOf } from './words.js';

const COMMERCE = `${NON_COMMERCIAL}: do not use this voice in a product or a service that earns money.`;

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
  readonly #title = make('h2', { id: 'consent-title' });
  readonly #facts = make('p', { id: 'consent-facts', className: 'note' });
  readonly #terms = make('div', { className: 'terms' });
  readonly #status = make('p', { className: 'status', role: 'alert' });
  readonly #cancel = make('button', { type: 'button', autofocus: true }, 'Cancel');
  readonly #retry = make('button', { type: 'button', hidden: true }, 'Try again');
  readonly #accept = make('button', { type: 'button', className: 'primary' }, 'Accept and install');
  readonly #dialog = make('dialog', { className: 'consent' });
  #steps: ConsentSteps | undefined;
  #card: ModelCard | undefined;
  #work = new AbortController();

  constructor() {
    this.#dialog.setAttribute('aria-labelledby', this.#title.id);
    this.#dialog.setAttribute('aria-describedby', this.#facts.id);
    const actions = make('div', { className: 'actions' }, this.#cancel, this.#retry, this.#accept);
    const parts = [this.#title, this.#facts, this.#terms, this.#status, actions];
    this.#dialog.append(make('form', {}, ...parts));
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
    this.#title.textContent = `Install ${voice.title}?`;
    this.#facts.textContent = `${traitsOf(voice)} · ${size(voice.bytes)} to download`;
    this.#dialog.showModal();
    void this.#load();
  }

  async #load(): Promise<void> {
    this.#work.abort();
    const { signal } = (this.#work = new AbortController());
    this.#show(undefined);
    showStatus(this.#status, '');
    this.#terms.replaceChildren(make('p', { className: 'note' }, 'Loading the licence…'));
    try {
      const loaded = await this.#steps?.load(signal);
      if (!signal.aborted && loaded) this.#showLoaded(loaded);
    } catch (error) {
      if (!signal.aborted) this.#fail(messageOf(error));
    }
  }

  #showLoaded({ card, freeBytes }: { card: ModelCard; freeBytes: number | undefined }): void {
    this.#terms.replaceChildren(...termsOf(card));
    if (freeBytes === undefined || freeBytes >= card.bytes) {
      this.#show(card);
      return;
    }
    const [needed, free] = [size(card.bytes), size(freeBytes)];
    this.#retry.hidden = false;
    const fix = 'Delete files or other voices, then press “Try again”.';
    showStatus(this.#status, `The voice needs ${needed}, and the disk has ${free} free. ${fix}`, 'bad');
  }

  #fail(message: string): void {
    this.#terms.replaceChildren();
    this.#retry.hidden = false;
    showStatus(this.#status, message, 'bad');
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

function termsOf({ text, licence, isNonCommercial }: ModelCard): Node[] {
  const named = licence === '' ? 'not named in the model card. Read the text, and ask the author.' : licence;
  const card = make('pre', { tabIndex: 0, role: 'region', ariaLabel: 'Model card' }, text);
  const mark = make('p', { className: 'warning' }, COMMERCE);
  return [
    make('p', {}, make('strong', {}, 'Licence: '), named),
    ...(isNonCommercial ? [mark] : []),
    card,
    make(
      'p',
      { className: 'note' },
      '“Accept and install” confirms that you accept the licence. The service records the date with the voice.',
    ),
  ];
}
