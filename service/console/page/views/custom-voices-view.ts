/** The list of custom voices. */
import { byId, element, type Voice } from '@herald-speech/browser';
import type { Api } from '../lib/api.js';
import { confirmed, renamed } from '../lib/dialogs.js';
import { attempt, quietButton } from '../lib/dom.js';
import type { Limits } from '../lib/limits.js';
import { text } from '../lib/text.js';

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
    const none = element('li', { className: 'note' }, text('custom.none'));
    const items = voices.map((voice) => this.#item(voice));
    byId('custom-voices', HTMLElement).replaceChildren(...(items.length > 0 ? items : [none]));
  }

  #item(voice: Voice): HTMLElement {
    const { name, description } = voice;
    const use = quietButton(text('custom.speak'), text('custom.speak-with', { name }));
    const rename = quietButton(text('custom.rename'), text('custom.rename-of', { name }));
    const remove = quietButton(text('delete'), text('custom.delete-of', { name }));
    use.addEventListener('click', () => this.onChoice(voice.voice_id));
    rename.addEventListener('click', () => void attempt(this.#status, rename, () => this.#rename(voice)));
    remove.addEventListener('click', () => void attempt(this.#status, remove, () => this.#remove(voice)));
    const about = element('span', { className: 'about' }, element('strong', {}, name));
    const notes = [description, voice.isApproximate ? text('clone.approximate') : ''].filter(Boolean);
    about.append(...notes.map((note) => element('span', { className: 'note' }, note)));
    return element('li', {}, about, element('span', { className: 'actions' }, use, rename, remove));
  }

  async #rename(voice: Voice): Promise<string> {
    const body = await renamed(voice, this.limits.name);
    if (body === undefined) return '';
    await this.api.json('PATCH', pathOf(voice), { body });
    await this.#changed();
    return text('custom.renamed', { before: voice.name, name: body.name });
  }

  async #remove(voice: Voice): Promise<string> {
    const isWanted = await confirmed({
      title: text('custom.delete', { name: voice.name }),
      text: text('custom.delete-warning'),
      yes: text('delete'),
    });
    if (!isWanted) return '';
    await this.api.json('DELETE', pathOf(voice));
    await this.#changed();
    return text('custom.deleted', { name: voice.name });
  }

  /** Loads the list again. Moves the focus to the heading, because the pressed button was removed with its row. */
  async #changed(): Promise<void> {
    await this.onChange();
    byId('custom-title', HTMLElement).focus();
  }
}

function pathOf({ voice_id }: Voice): string {
  return `/v1/custom-voices/${encodeURIComponent(voice_id)}`;
}
