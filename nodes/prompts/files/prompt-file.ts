/** A prompt file that a run has made: one line of the manifest. */
export interface PromptFile {
  /** Relative path with `/`, such as `menu/main.wav`. */
  filename: string;
  /** The hash of the row's content (`hashOf`). */
  hash: string;
  text: string;
  /** Duration of the audio in seconds, with chime and silence. */
  seconds: number;
  bytes: number;
  /** SHA-256 of the file: 64 hexadecimal digits. */
  sha256: string;
  /** Time of the last change of the file, in whole milliseconds since 1970. */
  modifiedMs: number;
  /** '' if the account chose the voice. */
  voice_id: string;
  /** ISO 639-1 code, or '' if unknown. */
  language: string;
  /** Time as in RFC 3339. */
  madeAt: string;
}
