/** Offers a natural voice beside a voice that sounds robotic: one press installs it. */
import { element, naturalList, offeredVoice } from '@herald-speech/browser';
import { callRuntime, type Target } from '../lib/runtime.js';
import { naturalRow, type RowContext } from './natural-row.js';

type Options = Pick<RowContext, 'node' | 'choose'> & {
  /** Says that the voice sounds robotic. */
  text(): string;
  /** The note to which the text is added; otherwise the offer itself has it. */
  note?: HTMLElement;
  /** Called after the installation. `use` chooses the voice. */
  installed(use: () => void): void;
};

export class VoiceOffer {
  readonly element = element('div', { className: 'herald-natural herald-offer', hidden: true });
  private readonly text = element('span', { className: 'herald-robotic' });
  /** The account, its service and the language of the latest offer. */
  private shown = '';

  constructor(private readonly options: Options) {}

  /**
   * Offers a natural voice of a language if the service is the local one and has none. An offer whose voice is installed stays.
   * @param language '' hides the offer
   */
  async show(target: Target | undefined, language: string): Promise<void> {
    const wanted = JSON.stringify([target?.account, target?.typed['service'], language]);
    if (wanted === this.shown) return this.addText();
    this.shown = wanted;
    this.element.hidden = true;
    this.text.remove();
    if (target?.typed['service'] !== 'local' || language === '') return;
    const list = await callRuntime('natural-voices', target).then(naturalList, () => undefined);
    const voice = list && offeredVoice(list, language, navigator.languages);
    if (voice === undefined || this.shown !== wanted) return;
    const { node, choose, installed, text } = this.options;
    const isOpen = () => this.element.isConnected && this.shown === wanted;
    const context = { node, target, choose, isOpen, canChange: true, offerImport: () => undefined };
    const end = (use: () => void) => {
      this.text.textContent = '';
      installed(use);
    };
    const row = naturalRow(voice, { ...context, offer: { installed: end } });
    this.element.replaceChildren(element('ul', { className: 'herald-natural-list' }, row));
    this.element.hidden = false;
    this.text.textContent = text();
    this.addText();
  }

  /** Adds the text to the note, which loses it with each new text of its own. */
  private addText(): void {
    const { note } = this.options;
    if (this.element.hidden) return;
    if (note === undefined) this.element.prepend(this.text);
    else note.append(this.text);
  }
}
