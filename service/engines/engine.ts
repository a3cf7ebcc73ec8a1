/** One sound and where it lies, in seconds from the start of the whole speech. `''` is silence. */
export interface Phoneme {
  symbol: string;
  start: number;
  duration: number;
}

/** How something is said. Neutral is `{ speed: 1, pitchShift: 0, pitchVariance: 1, duration: 0 }`. */
export interface Delivery {
  /** 2 is twice as fast. */
  speed: number;
  /** Semitones; an engine keeps to what its voice can do. */
  pitchShift: number;
  /** 0 is a monotone, 1 the voice's own melody. */
  pitchVariance: number;
  /** Seconds that the whole shall take, whatever `speed` says; 0 leaves it free. */
  duration: number;
}

/** How a voice sounds: mono, full scale is 1, at most a minute. */
export interface Reference {
  samples: Float32Array;
  /** Hz, the file's own. */
  sampleRate: number;
}

export interface SpeechRequest {
  /** The engine's own name of the voice; beside a `reference`, the `voice_id` of the cloned voice. */
  voice: string;
  /**
   * Whom to sound like, for an engine with `cloning`. It never changes for a `voice`, so what the engine derives from it
   * may be kept, within bounds.
   */
  reference?: Reference;
  text: string;
  /** Two-letter code, one of the voice's `languages`. */
  language: string;
  delivery: Delivery;
}

/** A piece of speech, usually a sentence: mono, 16 bits. All pieces of one request have one sample rate. */
export interface SpeechPiece {
  samples: Int16Array;
  sampleRate: number;
  phonemes: Phoneme[];
}

/** What an engine says about one of its voices; the catalogue makes a voice of the interface of it. */
export interface EngineVoice {
  /** Name within the engine, and `voice_id` of the preset voice. */
  id: string;
  name: string;
  description: string;
  age: string;
  gender: string;
  /** The first is the primary one. */
  useCases: readonly string[];
  languages: readonly string[];
  /** Hz, the voice's usual pitch. */
  pitch: number;
  /** Melody (semitones) and pace (syllables a second) as `analyseSample` hears them: a clone is measured against these. */
  manner?: { spread: number; rate: number };
  /** Whether it may stand in for a cloned voice: it sounds like a person. */
  isNatural: boolean;
}

/** The text has nothing that this engine can say: the caller's fault, not the engine's. */
export class NothingToSpeakError extends Error {
  override readonly name = 'NothingToSpeakError';

  constructor() {
    super('text: nothing to speak, expected letters or digits that the voice can read');
  }
}

/** A started engine. It lives in a worker, so it may block; work that can crash belongs in a child process. */
export interface Engine {
  /**
   * Speaks piece by piece, in order. Stops between pieces when `signal` aborts.
   * @throws NothingToSpeakError
   */
  speak(request: SpeechRequest, signal: AbortSignal): AsyncIterable<SpeechPiece>;
  /** Ends what the engine has beside its thread, such as a process. It has half a second for that. */
  close?(): Promise<void>;
}

/**
 * An engine as the service knows it before it is started. A new engine is one such object: in `engines.ts`, or the `engine`
 * that a module of the setting `engines` exports.
 */
export interface EnginePlugin {
  id: string;
  voices: readonly EngineVoice[];
  /** Present where the engine clones zero-shot: it speaks with the voice of any `reference`, in these languages. */
  cloning?: { languages: readonly string[] };
  /** Done once for all workers; the result must survive `postMessage`. */
  prepare(): Promise<unknown>;
  /** Starts the engine in a worker, with what `prepare` gave. */
  start(prepared: unknown): Promise<Engine>;
}
