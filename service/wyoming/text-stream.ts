import { EventEmitter, once } from 'node:events';
import { cutGrowingText, cutSentences } from '@herald-speech/client/text';
import { ServiceError } from '../kit/errors.js';
import { MAX_SPEECH_TEXT } from '../speech/chunks.js';

/** A text that arrives in parts. The reader gets each complete sentence. */
export class TextStream {
  readonly #changes = new EventEmitter();
  #pending = '';
  #length = 0;
  #hasEnded = false;
  /** Time since which the reader waits for text. */
  #waitsSince: number | undefined;

  /** @throws ServiceError 400 if the whole text is too long */
  add(text: string): void {
    this.#length += text.length;
    if (this.#length > MAX_SPEECH_TEXT) {
      const rule = `expected at most ${MAX_SPEECH_TEXT} between synthesize-start and synthesize-stop`;
      throw new ServiceError(
        400,
        `text has more than ${MAX_SPEECH_TEXT} characters: ${rule}. Send less text`,
      );
    }
    if (text === '') return;
    this.#pending += text;
    this.#changes.emit('change');
  }

  /** Milliseconds since which the reader waits for text; 0 if it does not wait. */
  get silentFor(): number {
    return this.#waitsSince === undefined ? 0 : performance.now() - this.#waitsSince;
  }

  /** Completes the last sentence. */
  end(): void {
    this.#hasEnded = true;
    this.#changes.emit('change');
  }

  /**
   * Yields the sentences in order. Call it once.
   * @param language ISO 639-1, decides where sentences end
   * @throws the reason of the signal, while it waits for text
   */
  async *sentences(language: string, signal: AbortSignal): AsyncGenerator<string> {
    while (!this.#hasEnded) {
      const { sentences, rest } = cutGrowingText(this.#pending, { language });
      this.#pending = rest;
      yield* sentences;
      if (sentences.length === 0 && !this.#hasEnded) await this.#change(signal);
    }
    for (const { text } of cutSentences(this.#pending, { language })) yield text;
  }

  async #change(signal: AbortSignal): Promise<void> {
    this.#waitsSince = performance.now();
    await once(this.#changes, 'change', { signal }).catch(() => signal.throwIfAborted());
    this.#waitsSince = undefined;
  }
}
