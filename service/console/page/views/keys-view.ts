/** The list of API keys. */
import type { Api } from '../api.js';
import { confirmed } from '../dialogs.js';
import { attempt, byId, make, showStatus } from '../dom.js';
import { date } from '../format.js';
import { fields, list, text } from '../read.js';

const PATH = '/console/api/keys';

type Key = ReturnType<typeof readKey>;

function readKey(item: unknown) {
  const { id, tail, created, revoked, isFile } = fields(item);
  const texts = { id: text(id), tail: text(tail), created: text(created), revoked: text(revoked) };
  return { ...texts, isFile: isFile === true };
}

export class KeysView {
  readonly #status = byId('keys-status', HTMLElement);
  readonly #value = byId('new-key-value', HTMLInputElement);

  constructor(private readonly api: Api) {
    const create = byId('create-key', HTMLButtonElement);
    create.addEventListener('click', () => void attempt(this.#status, create, () => this.#create()));
    const copy = byId('copy-key', HTMLButtonElement);
    copy.addEventListener('click', () => void attempt(this.#status, copy, () => this.#copy()));
    byId('hide-key', HTMLButtonElement).addEventListener('click', () => {
      this.hideNew();
      create.focus();
    });
  }

  /** Loads and shows the keys. @throws ApiError */
  async load(): Promise<void> {
    const reply = fields(await this.api.json('GET', PATH));
    const keys = list(reply['keys']).map(readKey);
    const [active, revoked] = [keys.filter((key) => !key.revoked), keys.filter((key) => key.revoked)];
    byId('key-list', HTMLElement).replaceChildren(...[...active, ...revoked].map((key) => this.#item(key)));
  }

  /** Removes the new key from the page. */
  hideNew(): void {
    this.#value.value = '';
    byId('new-key', HTMLElement).hidden = true;
    showStatus(this.#status, '');
  }

  #item(key: Key): HTMLElement {
    const { tail, created, revoked, isFile } = key;
    const times = [
      `${isFile ? 'Key of the data folder, created' : 'Created'} ${date(created)}`,
      ...(revoked ? [`revoked ${date(revoked)}`] : []),
    ].join(', ');
    const about = make('span', { className: 'about' }, make('code', {}, `…${tail}`));
    about.append(make('span', { className: 'note' }, times));
    if (revoked) return make('li', { className: 'revoked' }, about);
    if (isFile) return make('li', {}, about);
    const revoke = make('button', { type: 'button', className: 'quiet' }, 'Revoke');
    revoke.ariaLabel = `Revoke the key that ends in ${tail}`;
    revoke.addEventListener('click', () => void attempt(this.#status, revoke, () => this.#revoke(key)));
    return make('li', {}, about, make('span', { className: 'actions' }, revoke));
  }

  async #create(): Promise<string> {
    const reply = fields(await this.api.json('POST', PATH));
    this.#value.value = text(reply['key']);
    byId('new-key', HTMLElement).hidden = false;
    this.#value.focus();
    this.#value.select();
    await this.load();
    return '';
  }

  async #copy(): Promise<string> {
    try {
      await navigator.clipboard.writeText(this.#value.value);
      return 'Copied.';
    } catch {
      this.#value.select();
      return 'The browser cannot copy the key. It is selected: copy it with the keyboard.';
    }
  }

  async #revoke({ id, tail }: Key): Promise<string> {
    const isWanted = await confirmed({
      title: `Revoke the key …${tail}?`,
      text: 'The service will reject programs that use this key. You cannot undo this.',
      yes: 'Revoke',
    });
    if (!isWanted) return '';
    await this.api.json('DELETE', `${PATH}/${encodeURIComponent(id)}`);
    await this.load();
    byId('keys-title', HTMLElement).focus();
    return `The key …${tail} was revoked.`;
  }
}
