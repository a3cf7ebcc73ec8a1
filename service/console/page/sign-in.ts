/** How the page gets access: by itself on the service's machine, elsewhere with a key. */
import type { Api } from './api.js';
import { attempt, byId, say } from './dom.js';

export class SignIn {
  readonly #section = byId('sign-in', HTMLElement);
  readonly #console = byId('console', HTMLElement);
  readonly #key = byId('api-key', HTMLInputElement);
  readonly #status = byId('sign-in-status', HTMLElement);
  readonly #switch = byId('switch-access', HTMLButtonElement);

  /** @param open shows the account that there is access to; fails where there is none */
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

  /** Opens the account with what access there is, or asks for a key. @throws when the service fails */
  async start(): Promise<void> {
    if (this.api.useStoredKey() || (await this.api.openSession())) await this.#enter();
    else this.ask('');
  }

  /** Asks for a key, for a reason. */
  ask(reason: string): void {
    this.api.leave();
    byId('sign-in-cancel', HTMLButtonElement).hidden = true;
    this.#show(false);
    say(this.#status, reason, 'bad');
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
    byId('access', HTMLElement).textContent = isSession ? 'On this machine' : 'With an API key';
    this.#switch.textContent = isSession ? 'Use a key' : 'Leave';
    this.#show(true);
  }

  /** Leaving a key behind goes back to what the machine itself may see; a key shows another account. */
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
