/** Plays one voice sample at a time. */
export class SamplePlayer {
  readonly #audio = new Audio();
  #button: HTMLButtonElement | undefined;

  /** @param onProblem called with a message if a sample cannot be played */
  constructor(private readonly onProblem: (message: string) => void) {
    this.#audio.addEventListener('ended', () => this.stop());
  }

  /** Plays a sample, or stops it if the same button started it. */
  async toggle(button: HTMLButtonElement, url: string): Promise<void> {
    const wasOn = this.#button === button;
    this.stop();
    if (wasOn) return;
    this.#button = button;
    button.ariaPressed = 'true';
    // The URL of a sample can have another name of the service. The policy of the page allows only its own origin.
    this.#audio.src = new URL(url, location.href).pathname;
    try {
      await this.#audio.play();
    } catch {
      if (this.#button !== button) return; // The user stopped it or started another sample.
      this.stop();
      this.onProblem('The browser cannot play the sample. Check if the service is running.');
    }
  }

  stop(): void {
    if (this.#button) this.#button.ariaPressed = 'false';
    this.#button = undefined;
    this.#audio.pause();
  }
}
