/** Plays sounds in the browser, one at a time, with buttons that start and stop them. */

/** Milliseconds from the start to the first sound. A URL without a reply must not block a queue. */
const START_TIMEOUT_MS = 30_000;

export interface PlayOptions {
  /** Returns the message for audio that the browser cannot play. @param cause the message of the browser; may be blank */
  unreadable(cause: string): string;
  /** Asks the user for a click, if the browser plays no sound without one. Resolves at the click or when the signal fires. */
  askForClick?(over: AbortSignal): Promise<void>;
  /** From 0 to 1. */
  volume?: number;
}

/**
 * Plays audio and resolves at its end, or when the signal fires.
 * @param source a URL, or the audio itself
 * @throws Error if the browser cannot play the audio, or it does not start within 30 seconds
 */
export async function playToEnd(
  source: string | Blob,
  signal: AbortSignal,
  options: PlayOptions,
): Promise<void> {
  if (typeof source === 'string') return playUrl(source, signal, options);
  const url = URL.createObjectURL(source);
  try {
    await playUrl(url, signal, options);
  } finally {
    URL.revokeObjectURL(url);
  }
}

function playUrl(source: string, signal: AbortSignal, options: PlayOptions): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  const audio = new Audio(source);
  audio.volume = options.volume ?? 1;
  const over = new AbortController();
  const ended = new Promise<void>((resolve, reject) => {
    audio.addEventListener('ended', () => resolve());
    audio.addEventListener('error', () => reject(new Error(options.unreadable(audio.error?.message ?? ''))));
    signal.addEventListener('abort', () => resolve(), { signal: over.signal });
    start(audio, over.signal, options).catch(reject);
  });
  return ended.finally(() => {
    over.abort();
    audio.pause();
    audio.removeAttribute('src');
    // Closes the connection of a URL, which a paused player keeps.
    audio.load();
  });
}

/** Starts the audio. If the browser requires a click first, asks the user for it. */
async function start(
  audio: HTMLAudioElement,
  over: AbortSignal,
  { askForClick, unreadable }: PlayOptions,
): Promise<void> {
  const timeout = setTimeout(() => audio.dispatchEvent(new Event('error')), START_TIMEOUT_MS);
  const stopTimeout = () => clearTimeout(timeout);
  audio.addEventListener('playing', stopTimeout);
  over.addEventListener('abort', stopTimeout);
  try {
    await audio.play();
  } catch (error) {
    stopTimeout();
    if (over.aborted) return;
    if (!isRefused(error) || askForClick === undefined)
      throw new Error(unreadable(error instanceof Error ? error.message : ''), { cause: error });
    await askForClick(over);
    if (!over.aborted) await audio.play();
  }
}

const isRefused = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'NotAllowedError';

type ButtonState = 'idle' | 'busy' | 'playing';

/** Plays one sound at a time. */
export class SoundButtons {
  /** The current sound and its button. */
  private playing: { stop: AbortController; button: HTMLButtonElement } | undefined;

  /** @param show shows the state in a button, beside its ARIA properties */
  constructor(
    private readonly options: PlayOptions,
    private readonly show: (button: HTMLButtonElement, state: ButtonState) => void = () => undefined,
  ) {}

  /** Stops the current sound, also while it is loading. */
  stop(): void {
    this.playing?.stop.abort();
    if (this.playing !== undefined) this.mark(this.playing.button, 'idle');
    this.playing = undefined;
  }

  /**
   * Plays a sound until its end, or stops it if the button's sound is playing. The button shows its state.
   * @param load returns the audio or its URL
   * @throws the error of `load`, or Error if the browser cannot play the audio; nothing after a stop
   */
  async toggle(button: HTMLButtonElement, load: () => Promise<string | Blob>): Promise<void> {
    const isStop = this.playing?.button === button;
    this.stop();
    if (isStop) return;
    const current = { stop: new AbortController(), button };
    const { signal } = current.stop;
    this.playing = current;
    this.mark(button, 'busy');
    try {
      const sound = await load();
      if (signal.aborted) return;
      this.mark(button, 'playing');
      await playToEnd(sound, signal, this.options);
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      if (this.playing === current) this.stop();
    }
  }

  private mark(button: HTMLButtonElement, state: ButtonState): void {
    button.dataset['state'] = state;
    button.ariaPressed = String(state !== 'idle');
    button.ariaBusy = String(state === 'busy');
    this.show(button, state);
  }
}
