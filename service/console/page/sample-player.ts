/** Plays one sample at a time, from the button beside a voice. */
export class SamplePlayer {
  readonly #audio = new Audio();
  #button: HTMLButtonElement | undefined;

  /** @param onProblem told when a sample can't be played */
  constructor(private readonly onProblem: (words: string) => void) {
    this.#audio.addEventListener('ended', () => this.stop());
  }

  /** Plays the sample, or stops it where this button has started it. */
  async toggle(button: HTMLButtonElement, url: string): Promise<void> {
    const wasOn = this.#button === button;
    this.stop();
    if (wasOn) return;
    this.#button = button;
    button.ariaPressed = 'true';
    // The page is the service's own, so its samples are heard from where the page came from.
    this.#audio.src = new URL(url, location.href).pathname;
    try {
      await this.#audio.play();
    } catch {
      if (this.#button !== button) return; // It was stopped, or another one took over.
      this.stop();
      this.onProblem('The sample could not be played.');
    }
  }

  stop(): void {
    if (this.#button) this.#button.ariaPressed = 'false';
    this.#button = undefined;
    this.#audio.pause();
  }
}
