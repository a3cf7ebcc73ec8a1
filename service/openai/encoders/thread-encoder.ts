import type {
  AudioEncodingConfig,
  AudioSampleSource,
  EncodedAudioPacketSource,
  EncodedPacket,
  Output,
} from 'mediabunny';
import type { SynthesizedAudio } from '../../voices/workers/jobs.js';
import { ended, type Mediabunny } from './container.js';
import { SPEECH_RATE } from './sample-rate.js';
import { toSamples } from './samples-of.js';

/** Sound that a thread encodes before its speech. */
export interface WarmUp {
  samples: Int16Array<ArrayBuffer>;
  /** The first packets, which no file gets. */
  packets: number;
}

/** Mediabunny starts a thread for the first sample (42 µs of silence). */
const ONE_SAMPLE: WarmUp = { samples: new Int16Array(1), packets: 0 };

/** An encoder of mediabunny, which runs in a thread of about 15 MB. It encodes one speech. */
export class ThreadEncoder {
  #samples = 0;
  #packets: EncodedAudioPacketSource | undefined;
  #written: Promise<void> = Promise.resolve();
  readonly #source: AudioSampleSource;
  /** Mediabunny ends a thread with its output. The packets go to the file of a reply instead. */
  readonly #output: Output;
  #received = 0;
  /** The description of the stream, which only the first packet has. */
  #described: EncodedAudioChunkMetadata | undefined;

  private constructor(
    readonly media: Mediabunny,
    config: AudioEncodingConfig,
    readonly warmUp: WarmUp,
  ) {
    this.#source = new media.AudioSampleSource({
      ...config,
      onEncodedPacket: (packet, meta) => this.#write(packet, meta),
    });
    const format = new media.MkvOutputFormat({ appendOnly: true });
    this.#output = new media.Output({ format, target: new media.NullTarget() });
    this.#output.addAudioTrack(this.#source);
  }

  /** Starts the thread, and encodes the sound of `warmUp`. */
  static async start(
    media: Mediabunny,
    config: AudioEncodingConfig,
    warmUp = ONE_SAMPLE,
  ): Promise<ThreadEncoder> {
    const encoder = new ThreadEncoder(media, config, warmUp);
    try {
      await encoder.#output.start();
      await encoder.#add(warmUp.samples);
    } catch (error) {
      await encoder.end();
      throw error;
    }
    return encoder;
  }

  /** Adds the samples of a piece. Waits while `packets` does not accept the encoded packets. */
  async encode({ audio }: SynthesizedAudio, packets: EncodedAudioPacketSource): Promise<void> {
    this.#packets = packets;
    if (audio.length > 0) await this.#add(toSamples(audio));
    await this.#written;
  }

  /** Writes the last packets, and ends the thread. */
  async finish(packets: EncodedAudioPacketSource): Promise<void> {
    this.#packets = packets;
    await this.#output.finalize();
    await this.#written;
  }

  /** Ends the thread. Drops packets that are not encoded. */
  async end(): Promise<void> {
    await ended(this.#output);
  }

  #write(packet: EncodedPacket, meta: EncodedAudioChunkMetadata | undefined): void {
    this.#described ??= meta;
    this.#received += 1;
    if (this.#received <= this.warmUp.packets) return;
    const described = { ...this.#described, ...meta };
    this.#written = this.#written.then(() => this.#packets?.add(packet, described));
    this.#written.catch(() => undefined); // `encode` reports the failure.
  }

  async #add(data: Int16Array<ArrayBuffer>): Promise<void> {
    const format = { format: 's16', numberOfChannels: 1, sampleRate: SPEECH_RATE } as const;
    const timestamp = this.#samples / SPEECH_RATE;
    const sample = new this.media.AudioSample({ ...format, data, timestamp });
    this.#samples += data.length;
    try {
      await this.#source.add(sample);
    } finally {
      sample.close();
    }
  }
}
