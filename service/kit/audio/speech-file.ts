import {
  apeProof,
  id3Mark,
  MP3_SOUND,
  proofFor,
  type SignedMark,
  Signing,
  wavMark,
  wavSound,
} from '@herald-speech/client/audio';
import { speechInfoFrame } from './mp3-header.js';
import { speechFormat, speechHeader } from './wav.js';

/** The containers of speech that need no further encoder. */
export type SpeechContainer = 'wav' | 'mp3';

/** A piece of speech in the encoding of its container, without a header. */
interface EncodedSpeech {
  audio: Uint8Array;
  /** Hertz. */
  sampleRate: number;
  seconds: number;
}

/**
 * Returns the parts of a complete file: a WAV of PCM, or an MP3 of frames.
 * @param mark undefined for a file without a mark
 */
export function speechFile(
  container: SpeechContainer,
  { audio, sampleRate, seconds }: EncodedSpeech,
  mark: SignedMark | undefined,
): Uint8Array[] {
  if (container === 'mp3') {
    const tag = mark && id3Mark(mark, proofFor(mark, MP3_SOUND, [audio]));
    return [...given(tag), speechInfoFrame(audio, seconds), audio];
  }
  const chunk = mark && wavMark(mark, proofFor(mark, wavSound(speechFormat(sampleRate)), [audio]));
  return [speechHeader(sampleRate, audio.length, { after: chunk?.length ?? 0 }), audio, ...given(chunk)];
}

const given = (bytes: Uint8Array | undefined): Uint8Array[] => (bytes === undefined ? [] : [bytes]);

/**
 * A file that leaves while it grows. Its mark precedes the audio. An MP3 gets its signature as its last tag. A WAV has none: without a
 * length in its header, all bytes after it are audio.
 */
export class SpeechStream {
  readonly #signing: Signing | undefined;
  #isStarted = false;

  constructor(
    private readonly container: SpeechContainer,
    private readonly mark: SignedMark | undefined,
  ) {
    this.#signing = container === 'mp3' && mark !== undefined ? new Signing(mark, MP3_SOUND) : undefined;
  }

  /** Returns the bytes of a piece. The first piece has the header too. */
  add(piece: EncodedSpeech): Buffer {
    const start = this.#isStarted ? [] : this.#start(piece);
    this.#isStarted = true;
    this.#signing?.add(piece.audio);
    return Buffer.concat([...start, piece.audio]);
  }

  /** Returns the bytes after the last piece. */
  end(): Uint8Array {
    const proof = this.#isStarted ? this.#signing?.proof() : undefined;
    return proof === undefined ? new Uint8Array() : apeProof(proof);
  }

  #start({ audio, sampleRate }: EncodedSpeech): Uint8Array[] {
    const { container, mark } = this;
    if (container === 'mp3') return [...given(mark && id3Mark(mark)), speechInfoFrame(audio)];
    return [speechHeader(sampleRate, undefined, { before: mark && wavMark(mark) })];
  }
}
