/** Signs in: with the one-time token of a link on the computer of the service, otherwise with an API key. */
import { byId } from '@herald-speech/browser';
import type { Api } from '../lib/api.js';
import { attempt, errorMessage, showSectionStatus } from '../lib/dom.js';
import { text } from '../lib/text.js';

/** The token in the fragment of a link. */
const TOKEN = /^#token=([\w-]+)$/;

export class SignIn {
  readonly #section = byId('sign-in', HTMLElement);
  readonly #console = byId('console', HTMLElement);
  readonly #key = byId('api-key', HTMLInputElement);
  readonly #status = byId('sign-in-status', HTMLElement);
  readonly #cancel = byId('sign-in-cancel', HTMLButtonElement);
  readonly #switch = byId('switch-access', HTMLButtonElement);

  /** @param open shows the data of the account; rejects if the service refuses access */
  constructor(
    private readonly api: Api,
    private readonly open: () => Promise<void>,
  ) {
    const form = byId('sign-in-form', HTMLFormElement);
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void attempt(this.#status, form, () => this.#useTyped());
    });
    this.#cancel.addEventListener('click', () => void attempt(this.#status, form, () => this.#open()));
    this.#switch.addEventListener('click', () => void this.#switchAccess());
  }

  /** Signs in with the token of the link, the stored key or the stored session. Otherwise asks for a key. */
  async start(): Promise<void> {
    window.addEventListener('hashchange', () => {
      this.#useLink().catch((error: unknown) => this.ask(errorMessage(error)));
    });
    await this.#useLink();
    if (this.api.access !== undefined) return;
    if (this.api.useStored()) await this.#enter();
    else if (this.#status.textContent === '') this.ask('');
  }

  /** Asks for a key, and shows the reason. After a wrong key, the user can go back to the session of the tab. */
  ask(reason: string): void {
    this.api.leave();
    this.#cancel.hidden = !this.api.useStored();
    this.#show(false);
    showSectionStatus(this.#status, reason, 'bad');
    this.#key.focus();
  }

  /** Signs in with the token in the address, if any. Removes the token from the address and the history first. */
  async #useLink(): Promise<void> {
    const token = TOKEN.exec(location.hash)?.[1];
    if (token === undefined) return;
    history.replaceState(null, '', location.pathname);
    const problem = await this.api.openSession(token).then(() => undefined, errorMessage);
    // A used link in a tab with a session is a second click on the link.
    const isOpen = problem === undefined || this.api.access !== undefined || this.api.useStored();
    if (isOpen) await this.#enter();
    else this.ask(problem);
  }

  async #useTyped(): Promise<string> {
    this.api.useKey(this.#key.value.trim());
    this.#key.value = '';
    return this.#open();
  }

  async #open(): Promise<string> {
    await this.#enter();
    return '';
  }

  async #enter(): Promise<void> {
    await this.open();
    const isSession = this.api.access === 'session';
    byId('access', HTMLElement).textContent = text(isSession ? 'access.session' : 'access.key');
    this.#switch.textContent = text(isSession ? 'access.use-key' : 'access.sign-out');
    this.#show(true);
  }

  /** Signs out of an API key, which reloads the page for the stored session, if any. In a local session, asks for an API key. */
  async #switchAccess(): Promise<void> {
    if (this.api.access === 'key') {
      this.api.leave();
      location.reload();
      return;
    }
    this.#cancel.hidden = false;
    this.#show(false);
    this.#key.focus();
  }

  /** Shows the console or the form. The form closes the dialogs of the console, which would cover it. */
  #show(isOpen: boolean): void {
    if (!isOpen) document.querySelectorAll('dialog').forEach((dialog) => dialog.close());
    this.#section.hidden = isOpen;
    this.#console.hidden = !isOpen;
    byId('sections', HTMLElement).hidden = !isOpen;
    this.#switch.hidden = !isOpen;
  }
}
