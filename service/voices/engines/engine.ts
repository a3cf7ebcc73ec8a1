/** One sound. Times are in seconds from the start of the whole speech. The symbol `''` is silence. */
export interface Phoneme {
  /** In the International Phonetic Alphabet. */
  symbol: string;
  start: number;
  duration: number;
}

/** How a text is spoken. The neutral values are `{ speed: 1, pitchShift: 0, pitchVariance: 1, duration: 0 }`. */
export interface Prosody {
  /** Factor of the voice's rate: 2 is twice as fast. */
  speed: number;
  /** Semitones. An engine limits them to the range of its voice. */
  pitchShift: number;
  /** Factor of the voice's pitch range: 0 is monotone. */
  pitchVariance: number;
  /** Requested seconds for the whole speech; they take precedence over `speed`. 0 means no request. */
  duration: number;
}

/** A sample of a voice to clone: mono, from -1 to 1, at most 60 seconds. */
export interface Reference {
  samples: Float32Array;
  /** Hertz, as in the file. */
  sampleRate: number;
}

/** A request to an engine. */
export interface SynthesisRequest {
  /** `id` of the engine's voice. With a `reference`, the `voice_id` of the custom voice. */
  voice: string;
  /**
   * The voice to clone, for an engine with `cloning`. It never changes for a `voice`, so the engine may keep data that it
   * derives from it, within limits.
   */
  reference?: Reference;
  text: string;
  /** Whether the caller wrote the text as it must be read (`normalized_text`): no rule replaces its figures and abbreviations. */
  isReading?: boolean;
  /** Two-letter code, one of the voice's `languages`. */
  language: string;
  delivery: Prosody;
  /** Whether the text continues an earlier one whose audio the caller hears meanwhile. */
  isNext?: boolean;
}

/** A part of the speech, usually a sentence: mono, 16 bits. All pieces of a request have the same sample rate. */
export interface EnginePiece {
  samples: Int16Array;
  /** Hertz. */
  sampleRate: number;
  phonemes: Phoneme[];
  /** Whether the sentence goes on in the next piece, so that its audio has no silence at the end. */
  isContinued?: boolean;
  /**
   * The text that is not spoken at the end of the piece, '' at the end of the text. If the engine fails, another voice speaks it.
   * Without it, the other voice speaks the whole text of the request again.
   */
  rest?: string;
}

/** A preset voice, as its engine describes it. */
export interface EngineVoice {
  /** Name within the engine, and `voice_id` of the preset voice. */
  id: string;
  name: string;
  description: string;
  age: string;
  gender: string;
  /** The first is the primary use case. */
  useCases: readonly string[];
  languages: readonly string[];
  /** The first language with the region of the accent (BCP 47), such as `en-GB`, if the accent is known. */
  locale?: string;
  /** Name of the accent in English, if the locale does not tell it. */
  accent?: string;
  /** Author, address and version of a voice that is not part of its engine. `url` may be blank. */
  attribution?: { author: string; url: string; version: string };
  /** Typical pitch in hertz. */
  pitch: number;
  /**
   * Pitch range in semitones (`spread`) and rate in syllables per second, as `analyseSample` measures them. Approximated
   * custom voices are compared with these values.
   */
  manner?: { spread: number; rate: number };
  /** Whether the voice sounds human, so that a custom voice may be approximated with it. */
  isNatural: boolean;
  /** Hertz of a natural voice. */
  sampleRate?: number;
  /** Quality of a natural voice in the words of its catalogue: `x_low`, `low`, `medium` or `high`. */
  quality?: string;
  /** Licence of a natural voice, null if its model card names none. */
  licence?: string | null;
  isNonCommercial?: boolean;
  /** Seconds of computation for a second of audio, as measured on this machine. */
  realTimeFactor?: number;
  /** Whether the voice is fast enough for live announcements on this machine. Missing if not measured. */
  isLive?: boolean;
}

/** The text contains nothing that the engine can speak. The service replies with status 400. */
export class NothingToSpeakError extends Error {
  override readonly name = 'NothingToSpeakError';

  constructor() {
    super('text: nothing to speak. Use letters or digits that the voice can read');
  }
}

/** The voice cannot speak, for example because its model is damaged. The service replies with status 500 and the message. */
export class VoiceError extends Error {
  override readonly name = 'VoiceError';
}

/** The engine did not end a sentence in time. The service replies with status 408 and the message. */
export class SpeechTimeoutError extends Error {
  override readonly name = 'SpeechTimeoutError';
}

/** A started engine. It runs in a worker thread, so it may block. Code that can crash belongs in a child process. */
export interface Engine {
  /**
   * Speaks piece by piece, in order. Stops between pieces when `signal` aborts.
   * @throws NothingToSpeakError
   */
  speak(request: SynthesisRequest, signal: AbortSignal): AsyncIterable<EnginePiece>;
  /**
   * Predicts the seconds of the speech. Only for an engine whose equal requests have different lengths, or that speaks too
   * slowly for a prediction. Without it, the service predicts with `speak`.
   * @throws NothingToSpeakError
   */
  predict?(request: SynthesisRequest, signal: AbortSignal): Promise<number>;
  /** Ends everything that the engine started outside its thread, such as a process, within half a second. */
  close?(): Promise<void>;
}

/** An engine before its start. `engines.ts` lists the built-in ones; a module exports its own as `engine`. */
export interface EnginePlugin {
  id: string;
  /** The voices. An engine whose voices change returns another array after a change, and the same one otherwise. */
  readonly voices: readonly EngineVoice[];
  /** Present if the engine clones: it speaks these languages with the voice of any `reference`. */
  cloning?: { languages: readonly string[] };
  /** Called once for all workers of a process. The result must survive `postMessage`. */
  prepare(): Promise<unknown>;
  /** Starts the engine in a worker, with the result of `prepare`. */
  start(prepared: unknown): Promise<Engine>;
}
