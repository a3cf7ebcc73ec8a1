/** Signs in: with a local session on the computer of the service, otherwise with an API key. */
import type { Api } from './api.js';
import { attempt, byId, showStatus } from './dom.js';

export class SignIn {
  readonly #section = byId('sign-in', HTMLElement);
  readonly #console = byId('console', HTMLElement);
  readonly #key = byId('api-key', HTMLInputElement);
  readonly #status = byId('sign-in-status', HTMLElement);
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
    byId('sign-in-cancel', HTMLButtonElement).addEventListener('click', () => this.#show(true));
    this.#switch.addEventListener('click', () => void this.#switchAccess());
  }

  /** Signs in with the stored key or a local session. Otherwise asks for a key. @throws Error if the service fails */
  async start(): Promise<void> {
    if (this.api.useStoredKey() || (await this.api.openSession())) await this.#enter();
    else this.ask('');
  }

  /** Asks for a key, and shows the reason. */
  ask(reason: string): void {
    this.api.leave();
    byId('sign-in-cancel', HTMLButtonElement).hidden = true;
    this.#show(false);
    showStatus(this.#status, reason, 'bad');
    this.#key.focus();
  }

  async #useTyped(): Promise<string> {
    this.api.useKey(this.#key.value.trim());
    this.#key.value = '';
    await this.#enter();
    return '';
  }

  async #enter(): Promise<void> {
    await this.open();
    const isSession = this.api.access === 'session';
    byId('access', HTMLElement).textContent = isSession ? 'Local session' : 'API key session';
    this.#switch.textContent = isSession ? 'Use API key' : 'Sign out';
    this.#show(true);
  }

  /** Signs out of an API key, which reloads the page for a local session. In a local session, asks for an API key. */
  async #switchAccess(): Promise<void> {
    if (this.api.access === 'key') {
      this.api.leave();
      location.reload();
      return;
    }
    byId('sign-in-cancel', HTMLButtonElement).hidden = false;
    this.#show(false);
    this.#key.focus();
  }

  #show(isOpen: boolean): void {
    this.#section.hidden = isOpen;
    this.#console.hidden = !isOpen;
    byId('sections', HTMLElement).hidden = !isOpen;
    this.#switch.hidden = !isOpen;
  }
}
