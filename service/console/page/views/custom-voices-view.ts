/** The list of custom voices. */
import type { Api } from '../api.js';
import { confirmed, renamed } from '../dialogs.js';
import { attempt, byId, make } from '../dom.js';
import type { Limits } from '../limits.js';
import type { Voice } from '../voice.js';

export class CustomVoicesView {
  readonly #status = byId('custom-status', HTMLElement);

  /**
   * @param onChoice called with the identifier of the voice to speak with
   * @param onChange called after a voice was renamed or deleted
   */
  constructor(
    private readonly api: Api,
    private readonly limits: Limits,
    private readonly onChoice: (id: string) => void,
    private readonly onChange: () => Promise<void>,
  ) {}

  show(voices: readonly Voice[]): void {
    const none = make('li', { className: 'note' }, 'No custom voices.');
    const items = voices.map((voice) => this.#item(voice));
    byId('custom-voices', HTMLElement).replaceChildren(...(items.length > 0 ? items : [none]));
  }

  #item(voice: Voice): HTMLElement {
    const { name, description } = voice;
    const use = button('Speak', `Speak with ${name}`);
    const rename = button('Rename', `Rename ${name}`);
    const remove = button('Delete', `Delete ${name}`);
    use.addEventListener('click', () => this.onChoice(voice.id));
    rename.addEventListener('click', () => void attempt(this.#status, rename, () => this.#rename(voice)));
    remove.addEventListener('click', () => void attempt(this.#status, remove, () => this.#remove(voice)));
    const about = make('span', { className: 'about' }, make('strong', {}, name));
    about.append(make('span', { className: 'note' }, description));
    return make('li', {}, about, make('span', { className: 'actions' }, use, rename, remove));
  }

  async #rename(voice: Voice): Promise<string> {
    const body = await renamed(voice, this.limits.name);
    if (body === undefined) return '';
    await this.api.json('PATCH', pathOf(voice), { body });
    await this.#changed();
    return `${voice.name} was renamed to ${body.name}.`;
  }

  async #remove(voice: Voice): Promise<string> {
    const isWanted = await confirmed({
      title: `Delete ${voice.name}?`,
      text: 'This deletes the voice and its sample. Flows that use the voice will fail. You cannot undo this.',
      yes: 'Delete',
    });
    if (!isWanted) return '';
    await this.api.json('DELETE', pathOf(voice));
    await this.#changed();
    return `${voice.name} was deleted.`;
  }

  /** Loads the list again. Moves the focus to the heading, because the pressed button was removed with its row. */
  async #changed(): Promise<void> {
    await this.onChange();
    byId('custom-title', HTMLElement).focus();
  }
}

function pathOf({ id }: Voice): string {
  return `/v1/custom-voices/${encodeURIComponent(id)}`;
}

function button(label: string, ariaLabel: string): HTMLButtonElement {
  return make('button', { type: 'button', className: 'quiet', ariaLabel }, label);
}
