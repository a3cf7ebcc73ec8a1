import { messageOf } from './dom.js';

const UNPLAYABLE = 'The browser cannot play the sample. Check if the service is running.';

/** Plays one voice sample at a time. */
export class SamplePlayer {
  readonly #audio = new Audio();
  #button: HTMLButtonElement | undefined;

  constructor() {
    this.#audio.addEventListener('ended', () => this.stop());
  }

  /**
   * Plays a sample, or stops it if the same button started it.
   * @param source the URL, or a function that loads the audio
   * @param onProblem called with a message if the sample cannot be played
   */
  async toggle(
    button: HTMLButtonElement,
    source: string | (() => Promise<Blob>),
    onProblem: (message: string) => void,
  ): Promise<void> {
    const wasOn = this.#button === button;
    this.stop();
    if (wasOn) return;
    this.#button = button;
    button.ariaPressed = 'true';
    button.ariaBusy = 'true';
    try {
      const url = await addressOf(source);
      if (this.#button !== button) return;
      this.#audio.src = url;
      await this.#audio.play();
    } catch (error) {
      if (this.#button !== button) return; // The user stopped it or started another sample.
      this.stop();
      onProblem(error instanceof DOMException ? UNPLAYABLE : messageOf(error));
    } finally {
      button.ariaBusy = 'false';
    }
  }

  stop(): void {
    if (this.#button) this.#button.ariaPressed = 'false';
    this.#button = undefined;
    this.#audio.pause();
    URL.revokeObjectURL(this.#audio.src);
  }
}

/** Returns the address of a sample in the origin of the page. */
async function addressOf(source: string | (() => Promise<Blob>)): Promise<string> {
  if (typeof source !== 'string') return URL.createObjectURL(await source());
  // The URL of a sample can have another name of the service. The policy of the page allows only its own origin.
  return new URL(source, location.href).pathname;
}
