/**
 * Why bytes can't be used as audio:
 * - `not-audio`: neither a WAV nor an MP3, for example an HTML page;
 * - `incomplete`: it starts as audio but is cut short, damaged or holds no sound;
 * - `mismatch`: whole pieces that can't follow one another in one file;
 * - `unsupported`: sound audio of a kind that is not handled here.
 */
export type AudioErrorKind = 'not-audio' | 'incomplete' | 'mismatch' | 'unsupported';

/** The one error that the functions on audio throw; `message` never quotes the bytes. */
export class AudioError extends Error {
  override readonly name = 'AudioError';

  constructor(
    readonly kind: AudioErrorKind,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
