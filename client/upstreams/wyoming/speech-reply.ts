import { describeAudio, parseAudio } from '../../audio/join.js';
import { writeWav } from '../../audio/wav.js';
import { SpeechError } from '../../base/errors.js';
import { text } from '../../base/messages.js';
import type { Received } from '../../http/reply.js';
import type { Operation } from '../../interface/operation.js';
import type { WyomingEvent } from '../../wyoming/index.js';
import { failureIn } from './failure.js';
import { formatIn, inSixteenBits, isSameFormat, type PcmFormat } from './pcm.js';

/** Collects the audio of one text. */
export class SpeechReply<O extends Operation> {
  readonly #voice: unknown;
  readonly #pieces: Uint8Array[] = [];
  #format: PcmFormat | undefined;
  #bytes = 0;

  /** @param voice the voice of the request, for errors */
  constructor(voice: unknown) {
    this.#voice = voice;
  }

  /**
   * Takes an event. Returns the speech at `audio-stop`, undefined before. Ignores unknown events.
   * @throws SpeechError `bad-request` if the server found nothing to speak, `bad-reply`, or the failure of an `error` event
   */
  take(event: WyomingEvent): Received<O> | undefined {
    switch (event.type) {
      case 'audio-start':
        this.#setFormat(formatIn(event.data));
        return undefined;
      case 'audio-chunk':
        this.#add(event);
        return undefined;
      case 'audio-stop':
        return this.#speech();
      case 'error':
        throw failureIn(event, this.#voice);
      default:
        return undefined;
    }
  }

  #setFormat(format: PcmFormat): void {
    this.#format ??= format;
    if (!isSameFormat(format, this.#format))
      throw new SpeechError('bad-reply', text('wyoming-format-change'));
  }

  /** A chunk repeats the format of its start. */
  #add({ data, payload = new Uint8Array() }: WyomingEvent): void {
    this.#setFormat(formatIn({ ...this.#format, ...data }));
    if (payload.length > 0) this.#pieces.push(payload);
    this.#bytes += payload.length;
  }

  #speech(): Received<O> {
    const format = this.#format;
    // Servers end a text without a letter or digit in this way.
    if (format === undefined) throw new SpeechError('bad-request', text('wyoming-nothing-to-speak'));
    if (this.#bytes === 0) throw new SpeechError('bad-reply', text('reply-no-audio'));
    if (this.#bytes % (format.width * format.channels) > 0)
      throw new SpeechError('bad-reply', text('reply-audio', { problem: text('audio-incomplete') }));
    const { channels, pieces } = inSixteenBits(this.#pieces, format);
    const wav = { encoding: 'pcm', channels, sampleRate: format.rate, bitsPerSample: 16 } as const;
    return this.#received(writeWav(wav, pieces));
  }

  #received(bytes: Uint8Array): Received<O> {
    const audio = parseAudio(bytes);
    const { format, mime, duration } = describeAudio(audio);
    const value = { audio: bytes, format, mime, duration };
    return { value: value as Received<O>['value'], audio, bytes: this.#bytes };
  }
}
