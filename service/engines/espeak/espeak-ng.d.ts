/** The part of the optional package that is used here; it comes without types. */
declare module '@echogarden/espeak-ng-emscripten' {
  interface Address {
    readonly ptr: number;
  }

  interface SpeechEvent {
    type: string;
    /** Milliseconds from the start of the audio. */
    audio_position: number;
    /** IPA of a `phoneme`, number of a `word`. */
    id?: string | number;
  }

  interface Worker {
    /** 0 where there is such a voice. */
    set_voice(name: string): number;
    set_rate(wordsPerMinute: number): void;
    set_pitch(pitch: number): void;
    set_range(range: number): void;
    set_volume(percent: number): void;
    get_samplerate(): number;
    /** Calls back with each stretch of audio; an answer of true ends the speech. */
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
