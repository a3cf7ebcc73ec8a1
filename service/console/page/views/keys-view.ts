/** The list of API keys. */
import { byId, element, fieldsOf, listOf, textOf } from '@herald-speech/browser';
import type { Api } from '../lib/api.js';
import { confirmed } from '../lib/dialogs.js';
import { attempt, quietButton, showSectionStatus } from '../lib/dom.js';
import { date } from '../lib/format.js';
import { text } from '../lib/text.js';

const PATH = '/console/api/keys';

type Key = ReturnType<typeof readKey>;

function readKey(item: unknown) {
  const { id, tail, created, revoked, isFile } = fieldsOf(item);
  const texts = { id: textOf(id), tail: textOf(tail), created: textOf(created), revoked: textOf(revoked) };
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
    const reply = fieldsOf(await this.api.json('GET', PATH));
    const keys = listOf(reply['keys']).map(readKey);
    const [active, revoked] = [keys.filter((key) => !key.revoked), keys.filter((key) => key.revoked)];
    byId('key-list', HTMLElement).replaceChildren(...[...active, ...revoked].map((key) => this.#item(key)));
  }

  /** Removes the new key from the page. */
  hideNew(): void {
    this.#value.value = '';
    byId('new-key', HTMLElement).hidden = true;
    showSectionStatus(this.#status, '');
  }

  #item(key: Key): HTMLElement {
    const { tail, created, revoked, isFile } = key;
    const times = [
      text(isFile ? 'keys.of-file' : 'keys.created', { date: date(created) }),
      ...(revoked ? [text('keys.revoked-at', { date: date(revoked) })] : []),
    ].join(', ');
    const about = element('span', { className: 'about' }, element('code', {}, `…${tail}`));
    about.append(element('span', { className: 'note' }, times));
    if (revoked) return element('li', { className: 'revoked' }, about);
    if (isFile) return element('li', {}, about);
    const revoke = quietButton(text('keys.revoke'), text('keys.revoke-of', { tail }));
    revoke.addEventListener('click', () => void attempt(this.#status, revoke, () => this.#revoke(key)));
    return element('li', {}, about, element('span', { className: 'actions' }, revoke));
  }

  async #create(): Promise<string> {
    const reply = fieldsOf(await this.api.json('POST', PATH));
    this.#value.value = textOf(reply['key']);
    byId('new-key', HTMLElement).hidden = false;
    this.#value.focus();
    this.#value.select();
    await this.load();
    return '';
  }

  async #copy(): Promise<string> {
    try {
      await navigator.clipboard.writeText(this.#value.value);
      return text('keys.copied');
    } catch {
      this.#value.select();
      return text('keys.not-copied');
    }
  }

  async #revoke({ id, tail }: Key): Promise<string> {
    const isWanted = await confirmed({
      title: text('keys.confirm', { tail }),
      text: text('keys.warning'),
      yes: text('keys.revoke'),
    });
    if (!isWanted) return '';
    await this.api.json('DELETE', `${PATH}/${encodeURIComponent(id)}`);
    await this.load();
    byId('keys-title', HTMLElement).focus();
    return text('keys.revoked', { tail });
  }
}
