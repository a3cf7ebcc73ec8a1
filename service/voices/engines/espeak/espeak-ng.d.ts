/** The part of the optional package that the synthesizer needs. The package has no types. */
declare module '@echogarden/espeak-ng-emscripten' {
  interface Address {
    readonly ptr: number;
  }

  interface SpeechEvent {
    type: string;
    /** Milliseconds from the start of the audio. */
    audio_position: number;
    /** IPA symbol of a `phoneme`, number of a `word`. */
    id?: string | number;
  }

  interface VoiceFile {
    /** Name for `set_voice`, such as `gmw/en`. */
    identifier: string;
    /** Language codes in lower case. A voice with a lower number is preferred. */
    languages: { name: string; priority: number }[];
  }

  interface Worker {
    list_voices(): VoiceFile[];
    /** Returns 0 if the voice exists. */
    set_voice(name: string): number;
    set_rate(wordsPerMinute: number): void;
    set_pitch(pitch: number): void;
    set_range(range: number): void;
    set_volume(percent: number): void;
    get_samplerate(): number;
    /** Returns the phonemes of all clauses as a C string, which the next call overwrites. */
    convert_to_phonemes(text: Address, isIpa: boolean): Address;
    /** Calls `onAudio` with each part of the audio. If it returns true, the speech ends. */
    synthesize(text: Address, onAudio: (audio: Int16Array, events: SpeechEvent[]) => boolean): void;
  }

  interface Module {
    readonly HEAPU8: Uint8Array;
    readonly FS: { writeFile(path: string, content: string): void };
    readonly eSpeakNGWorker: new () => Worker;
    _malloc(bytes: number): number;
  }

  export default function load(): Promise<Module>;
}
