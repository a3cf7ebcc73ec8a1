/** "Let speakers in my network play this": opens an audio port, and saves it in the account in the editor. */
import { element, whileBusy } from '@herald-speech/browser';
import { changeNode } from '../lib/config-nodes.js';
import { button, icon, showStatus } from '../lib/dom.js';
import { callRuntime, errorText } from '../lib/runtime.js';
import type { Offer } from './report.js';

/** The number of such buttons in the page: the dialog and the sidebar have one each. */
let count = 0;

export class OpenPort {
  private readonly pressed: HTMLButtonElement;
  private readonly effect = element('p', { className: 'herald-note', id: `herald-reach-effect-${++count}` });
  private readonly result = element('p', { className: 'herald-note', role: 'status' });
  private offer: Offer | undefined;
  readonly parts: readonly HTMLElement[];

  /**
   * @param selected returns the selected account, if the dialog selects one
   * @param add adds an account with this id, and selects it
   * @param onOpen called when the port is open
   */
  constructor(
    private readonly node: Pick<EditorNode, '_'>,
    private readonly selected: () => EditorNode | undefined,
    private readonly add: (id: string) => EditorNode,
    private readonly onOpen: () => void,
  ) {
    this.pressed = button({}, icon('volume-up'), ` ${node._('reach.open')}`);
    this.pressed.setAttribute('aria-describedby', this.effect.id);
    this.pressed.addEventListener('click', () => void whileBusy(this.pressed, () => this.open()));
    this.parts = [this.pressed, this.effect, this.result];
    this.show(undefined);
  }

  /** Shows the button with its effect, or hides both without an offer. */
  show(offer: Offer | undefined): void {
    this.offer = offer;
    this.pressed.hidden = offer === undefined;
    this.effect.hidden = offer === undefined;
    if (offer === undefined) return;
    const values = { port: offer.port, addresses: offer.addresses.join(', ') || '-' };
    showStatus(this.effect, this.node._(offer.host === '' ? 'reach.opens' : 'reach.opens-one', values));
  }

  private async open(): Promise<void> {
    if (this.offer === undefined) return;
    const { port, host } = this.offer;
    try {
      const selected = this.selected();
      const id = selected?.id ?? RED.nodes.id();
      await callRuntime('reach/open', { account: id, port, host });
      changeNode(selected ?? this.add(id), { audioPort: String(port), audioHost: host });
      showStatus(this.result, this.node._('reach.opened', { port }));
      this.onOpen();
    } catch (error) {
      showStatus(this.result, errorText(error, this.node), true);
    }
  }
}
